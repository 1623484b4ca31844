// The library's debug mode, which keeps lists of iterators, and code that tells a profiler of every call.
// (The checkers of memory build at -O1, where copies in debug mode are an error: IZ203.)
// UNSUPPORTED: memcheck-asan, memcheck-valgrind
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2 --keep plan --flag=-D_GLIBCXX_DEBUG %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2 --keep plan --flag=-g --flag=-finstrument-functions %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-O2 --keep plan --flag=-finstrument-functions %s
#include "check.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

using Vector = std::vector<double>;
static double squares(const Vector &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); i++)
    sum += x[i] * x[i] * (1.0 + i);
  return sum;
}
static double copied(const Vector &x) {
  Vector y(x), z;
  for (double v : x)
    z.push_back(v * v);
  y.insert(y.begin() + 1, z.front());
  std::sort(z.begin(), z.end());
  y.swap(z);
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0) + z.back() * *std::max_element(z.begin(), z.end());
}
static double mapped(const Vector &x) {
  std::map<int, double> m;
  for (int i = 0; i < int(x.size()); i++)
    m[i % 2] += std::sin(x[i]);
  double product = 1;
  for (auto &entry : m)
    product *= entry.second;
  return product;
}

template <typename... A> double __enzyme_autodiff(void *, A...);
extern int enzyme_dup;

template <double (*F)(const Vector &)> static void check(const char *name) {
  Vector x = {0.7, -1.2, 1.9}, dx(3);
  __enzyme_autodiff((void *)F, enzyme_dup, &x, &dx);
  for (int i = 0; i < 3; i++) {
    const double h = 1e-6, at = x[i];
    x[i] = at + h;
    double after = F(x);
    x[i] = at - h;
    double before = F(x);
    x[i] = at;
    checkWithin(name, i, dx[i], (after - before) / (2 * h), 1e-7, 1e-12);
  }
}

int main() {
  check<squares>("squares");
  check<copied>("copied");
  check<mapped>("mapped");
  if (!failures)
    printf("ok\n");
  return failures;
}
