// With -fno-inline every member of a container stays a call. A vector of std::functions: what manages a closure is told by
// a constant what to do, and is looked at for that one alone, so that closures in place and on the heap stay apart.
// std::map::erase: the difference of two sizes is no address, whatever else is known of where they are read.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-O2,-O3/-Os --keep plan --flag=-std=c++20 --flag=-fno-inline %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-O2,-O3/-Os --keep plan --flag=-std=c++20 --flag=-fno-inline --flag=-fno-strict-aliasing %s
#include "check.h"
#include <functional>
#include <map>
#include <vector>

static double erased(const double *in, int n) {
  std::map<double, double> squares;
  for (int i = 0; i < n; i++)
    squares[in[i]] = in[i] * in[i];
  squares.erase(squares.begin()->first);
  double sum = 0;
  for (auto &[key, square] : squares)
    sum += sin(key) * square;
  return sum;
}

static double managed(const double *in, int n) {
  std::vector<double> v(in, in + n);
  double q = v[0], a = in[1];
  auto step = [&q, a](double p) { q = sin(p); return p * a; };
  std::vector<std::function<double(double)>> steps{step, [q](double p) { return atan(p + q); }};
  if (n % 3 == 1)
    steps.push_back([v, n](double p) { return p * v[n % v.size()] + v.back(); });
  double p = in[2];
  for (int i = 0; i < n + 2; i++)
    p = sin(steps[i % steps.size()](p));
  return p + q;
}

int main() {
  double x[7], t[7];
  fill(x, 7, 3, 0.2, 1.2);
  fill(t, 7, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, erased, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, managed, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, managed, 7, x, t, 7);
  return finish();
}
