// Inner loops that make no trip, in nests whose tape is allocated once for all trips.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double inner(double x, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x = sin(x) + 0.5;
  return x * x;
}
double shrinking(double x, int n) {
  for (int i = n; i-- > 0;)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < i; k++)
        x = sin(x) * 1.5;
  return x * x;
}
double between(double x, int from, int to) {
  for (int i = 0; i < 3; i++)
    for (long j = from; j < to; j += 2)
      x = cos(x * i) + x / 3;
  return x;
}

int main(void) {
  for (int m = -1; m < 4; m++) {
    double x = 0.7, d = __enzyme_autodiff((void *)inner, x, 3, m);
    CHECK_AT("inner", m + 1, d, SLOPE(x, inner(x, 3, m)));
    CHECK_AT("inner jvp", m + 1, __enzyme_fwddiff((void *)inner, x, 1.0, 3, m), d);
    d = __enzyme_autodiff((void *)shrinking, x, m);
    CHECK_AT("shrinking", m + 1, d, SLOPE(x, shrinking(x, m)));
    d = __enzyme_autodiff((void *)between, x, 2, m);
    CHECK_AT("between", m + 1, d, SLOPE(x, between(x, 2, m)));
  }
  return finish();
}
