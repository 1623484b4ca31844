// Two std::functions swap places, one that keeps a number and one that keeps an address: the place of
// either was swapped, and its shadow was not.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --levels=-O0,-O1,-O2 --flag=-I%S/../EndToEnd --flag=-fno-inline %s
#include "check.h"
#include <functional>
using Function = std::function<double(double)>;

static double called(const Function &f, double x) { return f(x); }
static double swapped(const double *x) {
  double a = x[0], b = x[1];
  Function one = [a](double v) { return v * a; }, two = [&b](double v) { return v * b; };
  std::swap(one, two);
  return called(one, x[2]) * called(two, x[3]);
}

int main() {
  double x[4] = {2, 3, 0.5, 0.7}, d[4] = {};
  __enzyme_autodiff<double>((void *)swapped, enzyme_dup, x, d);
  for (int i = 0; i < 4; i++)
    CHECK_AT("swapped", i, d[i], x[0] * x[1] * x[2] * x[3] / x[i]);
  return finish();
}
