// Functions that hold functions, of which one keeps a vector, in memory of its own, and another a number, in place of
// the address: the vector is copied by code that sees only addresses.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1,-O2,-O3/-Os --keep plan --flag=-std=c++20 %s
// Alone, it was taken for one of addresses.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0 --keep plan --flag=-std=c++20 --flag=-DALONE %s
#include "check.h"
#include <functional>
#include <vector>

using Function = std::function<double(double)>;

static Function polynomial(std::vector<double> c) {
  return [c](double t) {
    double sum = 0;
    for (double v : c)
      sum = sum * t + v;
    return sum;
  };
}
static Function square(double c) {
  return [c](double t) { return c * t * t; };
}
static Function chain(Function f, Function g) {
  return [f, g](double t) { return f(g(t)); };
}

static double chained(const double *x) {
  Function a = polynomial({x[0], x[1], x[2]}), c = square(x[1]), b = chain(a, c);
  return b(x[3]) + c(x[2]);
}
#ifndef ALONE
static Function same(Function f) {
  return [f](double t) { return f(t); };
}
static double wrapped(const double *x) {
  Function a = polynomial({x[0], x[1], x[2]}), b = same(a);
  return b(x[3]);
}
static double beside(const double *x) {
  Function a = polynomial({x[0], x[1], x[2]}), b = same(a), c = square(x[1]);
  return b(x[3]) + c(x[2]);
}
static double several(const double *x) {
  std::vector<Function> all;
  all.push_back(polynomial({x[0], x[1], x[2]}));
  all.push_back(polynomial({x[3], x[0]}));
  all.push_back([a = x[1]](double t) { return a * t * t; });
  all.push_back(chain(all[0], all[2]));
  double sum = 0;
  for (auto &f : all)
    sum += f(x[2]);
  return sum;
}
#endif

int main() {
  double x[4], t[4];
  fill(x, 4, 13, 0.2, 1.2);
  fill(t, 4, 17, -1, 1);
  CHECK_FUNCTION(chained, 4, x, t);
#ifndef ALONE
  CHECK_FUNCTION(wrapped, 4, x, t);
  CHECK_FUNCTION(beside, 4, x, t);
  CHECK_FUNCTION(several, 4, x, t);
#endif
  return finish();
}
