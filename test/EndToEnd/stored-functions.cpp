// A std::function in a vector: what moves it does not show that a closure's first bytes are an address.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --keep plan %s
#include "check.h"
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
int main() {
  double x[2] = {1.5, 0.3}, d[2] = {0, 0};
  __enzyme_autodiff<void>((void *)byPointer, enzyme_dup, x, d);
  CHECK_AT("by pointer", 0, d[0], 2);
  CHECK_AT("by pointer", 1, d[1], 4);
  return finish();
}
