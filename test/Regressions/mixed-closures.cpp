// A vector of functions. One of them holds the address of a number where the others hold a number, and the library moves
// them all by the same code: what a place holds is decided when the program runs. Reverse mode crashed in the first
// program at -O1, and in the second one at -O0 it lacked the number of the closure that is moved when the vector grows.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --flag=-std=c++20 --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --levels=-O1,-O2 --flag=-std=c++20 --flag=-fno-strict-aliasing --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <functional>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_autodiff(void *, ...);

static double listed(double *x, int n) {
  double q = x[0], a = x[1];
  auto step = [&q, a](double p) {
    q = sin(p);
    return p * a;
  };
  std::vector<std::function<double(double)>> steps{step, [q](double p) { return tanh(q + p); }};
  double p = a;
  for (int i = 0; i < n; i++)
    p = sin(steps[i % steps.size()](p));
  return p + q;
}

template <class T> T chained(const std::vector<T> &v, int n, T a) {
  T q = v[0];
  auto step = [&q, a](T p) {
    q = sin(p);
    return p * a;
  };
  std::vector<std::function<T(T)>> steps{step, [q](T p) { return tanh(q + p); }};
  if (n % 2 == 0)
    steps.push_back([v, n](T p) { return p * v[n % v.size()] + v.back(); });
  T p = a;
  for (int i = 0; i < n + 2; i++)
    p = sin(steps[i % steps.size()](p));
  return p + q;
}
template <class T> T whole(T *x, T *y, int n, T a) {
  std::vector<T> v(x, x + n);
  v.push_back(a);
  v.push_back(y[0]);
  return chained<T>(v, 4, a);
}
static double grown(double *z, int) {
  double x[3] = {z[0], z[1], z[2]}, y[1] = {z[3]};
  return whole<double>(x, y, 3, 0.7);
}

static void check(const char *name, double (*of)(double *, int), double *x, int count, double *d) {
  for (int i = 0; i < count; i++)
    CHECK_AT(name, i, d[i], SLOPE(x[i], of(x, 6)));
}

int main() {
  enum { N = 6 };
  double x[4] = {0.3, 1.1, -0.7, 0.9}, tangents[4], all[4] = {}, more[4] = {};
  for (int i = 0; i < 4; i++) {
    double along[4] = {};
    along[i] = 1;
    tangents[i] = __enzyme_fwddiff((void *)listed, enzyme_dup, x, along, enzyme_const, N);
  }
  check("forward", listed, x, 4, tangents);
  __enzyme_autodiff((void *)listed, enzyme_dup, x, all, enzyme_const, N);
  check("listed", listed, x, 4, all);
  __enzyme_autodiff((void *)grown, enzyme_dup, x, more, enzyme_const, N);
  check("grown", grown, x, 4, more);
  return finish();
}
