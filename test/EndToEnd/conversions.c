// Between integers and floats, bits and floats, float and double: what carries a derivative and
// what does not.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <stdint.h>

double table(double x) { // an index computed from the value
  static const double slope[] = {1, -2, 3, 0.5};
  int cell = (int)(x * 2);
  return slope[cell & 3] * (x - cell / 2.0) + cell;
}
double weights(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * (double)(i * i) / (float)(n + 1) - (unsigned)i;
  return sum * sum;
}
double narrowed(double x) {
  float low = (float)(x * x);
  return (double)low * 2 + x;
}
double flags(const double *x, int n) {
  int positive = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    positive += x[i] > 0;
    sum += positive * x[i] * (x[i] < 0 ? -1 : 1);
  }
  return sum / (1 + positive);
}
static double magnitude(double x) { // the sign bit taken off by hand
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~(UINT64_C(1) << 63);
  memcpy(&x, &bits, sizeof bits);
  return x;
}
double sizes(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += magnitude(x[i]) * x[i];
  return sum;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    double x = 0.2 + 0.55 * i;
    double d = __enzyme_autodiff((void *)table, x);
    CHECK_AT("table", i, d, SLOPE(x, table(x)));
    CHECK_AT("table jvp", i, __enzyme_fwddiff((void *)table, x, 1.0), d);
    checkWithin("narrowed", i, __enzyme_autodiff((void *)narrowed, x), 4 * x + 1, 1e-6, 1e-6);
  }
  double x[5], t[5], dw[5] = {0}, df[5] = {0}, ds[5] = {0};
  fill(x, 5, 2, -1, 1);
  fill(t, 5, 3, -1, 1);
  __enzyme_autodiff((void *)weights, x, dw, 5);
  __enzyme_autodiff((void *)flags, x, df, 5);
  __enzyme_autodiff((void *)sizes, x, ds, 5);
  for (int i = 0; i < 5; i++) {
    CHECK_AT("weights", i, dw[i], SLOPE(x[i], weights(x, 5)));
    CHECK_AT("flags", i, df[i], SLOPE(x[i], flags(x, 5)));
    CHECK_AT("sizes", i, ds[i], 2 * fabs(x[i]));
  }
  CHECK("weights jvp", __enzyme_fwddiff((void *)weights, x, t, 5), innerProduct(t, dw, 5));
  CHECK("flags jvp", __enzyme_fwddiff((void *)flags, x, t, 5), innerProduct(t, df, 5));
  CHECK("sizes jvp", __enzyme_fwddiff((void *)sizes, x, t, 5), innerProduct(t, ds, 5));
  return finish();
}
