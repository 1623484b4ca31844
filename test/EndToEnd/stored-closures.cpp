// Closures on the heap beside closures that are an address. Where they are simplified this is an error:
// nothing shows what lies between an integer of a closure and the next word.
// There what is differentiated is simplified code.
// UNSUPPORTED: memcheck-prepared
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0 --keep plan %s
#include "check.h"
#include <functional>
#include <vector>

static double function(const double *p) {
  std::vector<std::function<double(double)>> all;
  double a = p[0];
  int n = 3;
  all.push_back([p](double x) { return p[1] * x; });
  all.push_back([a, n, p](double x) { return n * x * p[0] * a; });
  double sum = 0;
  for (auto &f : all)
    sum += f(p[0]);
  return sum;
}
int main() {
  double x[2] = {1.5, 0.3}, d[2] = {0, 0};
  __enzyme_autodiff<void>((void *)function, enzyme_dup, x, d);
  CHECK_AT("derivative", 0, d[0], x[1] + 9 * x[0] * x[0]);
  CHECK_AT("derivative", 1, d[1], x[0]);
  return finish();
}
