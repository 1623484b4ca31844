// A branch decides the derivative: reverse and forward agree on both sides.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double relu3(double x) {
  if (x > 0)
    return pow(x, 3);
  return 0;
}

double gradient(double x) { return __enzyme_autodiff((void *)relu3, x); }
double tangent(double x, double dx) { return __enzyme_fwddiff((void *)relu3, x, dx); }

int main(void) {
  double points[] = {2.5, 0.3, -1.25, 1e3};
  for (int i = 0; i < 4; i++) {
    double x = points[i];
    double expected = x > 0 ? 3 * x * x : 0;
    CHECK_AT("gradient", i, gradient(x), expected);
    CHECK_AT("tangent", i, tangent(x, 0.5), 0.5 * expected);
    CHECK_AT("slope", i, SLOPE(x, relu3(x)), expected);
  }
  return finish();
}
