// Functions of which one holds a vector, and another a number that it has from one, in a vector of functions.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-Os,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <functional>
#include <vector>

static double chained(const double *in, int n) {
  std::vector<double> x(in, in + n);
  double a = x[1];
  std::vector<std::function<double(double)>> all;
  all.push_back([x](double v) {
    double sum = 0;
    for (double c : x)
      sum = sum * v + c;
    return sum;
  });
  all.push_back([a](double v) { return sin(v * a); });
  double value = x[0];
  for (auto &one : all)
    value = one(value);
  return value;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, chained, 6, x, t, 6);
  return finish();
}
