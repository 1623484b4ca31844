// A std::function in a vector: what moves it does not show that a closure's first bytes are an
// address.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --keep=plan %s
#include "check.h"
#include <cmath>
#include <functional>
#include <vector>

using Function = std::function<double(double)>;
static double byPointer(const double *p) {
  std::vector<Function> all;
  all.push_back([p](double x) { return p[0] * x; });
  all.push_back([p](double x) { return p[1] * x * x; });
  double sum = 0;
  for (auto &f : all)
    sum += f(2.0);
  return sum;
}
// Closures that are a number or an address, in the function object, beside one that is a vector, on
// the heap. At -O0 only simplified code shows which of them a call copies, and how.
static double beside(const double *x, int n) {
  double q = x[0], a = x[1], p = a;
  std::vector<double> v(x, x + n);
  std::vector<Function> all{[q](double p) { return std::sin(q) - p; },
                            [v, n](double p) { return p * v[n % v.size()] + v.back(); }};
  if (n % 2)
    all.push_back([&q, a](double p) { return q = std::sin(q + p), p * a; });
  for (int i = 0; i < n + 2; i++)
    p = std::sin(all[i % all.size()](p));
  return p + q;
}

int main() {
  double x[2] = {1.5, 0.3}, d[2] = {0, 0};
  __enzyme_autodiff<void>((void *)byPointer, enzyme_dup, x, d);
  CHECK_AT("by pointer", 0, d[0], 2);
  CHECK_AT("by pointer", 1, d[1], 4);
  double y[4] = {0.3, 0.7, 0.5, 0.9}, t[4] = {1, -2, 0.5, 3};
  for (int n = 2; n < 5; n++)
    CHECK_FUNCTION(beside, 4, y, t, n);
  return finish();
}
