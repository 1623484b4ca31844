// Code that observes the float environment: every operation is a constrained intrinsic.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-ffp-model=strict %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-frounding-math %s \
// RUN:   --levels=-O2 --keep plan
#include "check.h"
#include <fenv.h>

double many(double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += sin(x * i) / (1 + fabs(x));
    if (sum > 2)
      sum -= sqrt(x);
    sum += (double)(float)floor(x * i) * x + (i % 2 ? x : -x);
  }
  return sum * n + fmax(sum, x) + lrint(sum) * x + pow(x, 3) + fma(x, sum, x) + fmod(x, 0.3);
}
/* The rounding mode is set where the value is computed, and again where nothing else is. */
double upwards(double x) {
  fesetround(FE_UPWARD);
  double square = x * x;
  fesetround(FE_TONEAREST);
  return square * x;
}

int main(void) {
  double x = 0.7;
  CHECK("many", __enzyme_autodiff((void *)many, x, 5), SLOPE_WITHIN(1e-3, x, many(x, 5)));
  CHECK("many forward", __enzyme_fwddiff((void *)many, x, 1.0, 5),
        SLOPE_WITHIN(1e-3, x, many(x, 5)));
  CHECK("upwards", __enzyme_autodiff((void *)upwards, x), SLOPE(x, upwards(x)));
  CHECK("rounding mode", fegetround() == FE_TONEAREST, 1);
  return finish();
}
