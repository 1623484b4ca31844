// Extended precision: x87's format goes through registers, memory and the tape.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

long double curve(long double x) { return sinl(x) * x + expl(-x * x) / (1 + fabsl(x)); }
long double chain(const long double *x, int n) {
  long double p = 1;
  for (int i = 0; i < n; i++)
    p = sqrtl(p * p + x[i] * x[i] * p);
  return p;
}
double rounded(double x, int n) {
  long double sum = 0, power = 1;
  for (int i = 1; i <= n; i++) {
    power *= x / i;
    sum += power;
  }
  return (double)sum;
}

long double __enzyme_autodiff_curve(long double (*)(long double), long double);
long double __enzyme_fwddiff_curve(long double (*)(long double), long double, long double);
void __enzyme_autodiff_chain(long double (*)(const long double *, int), const long double *,
                             long double *, int);

int main(void) {
  long double x = 0.6L;
  double d = __enzyme_autodiff_curve(curve, x);
  CHECK("curve", d, SLOPE(x, curve(x)));
  CHECK("curve jvp", __enzyme_fwddiff_curve(curve, x, 2.0L), 2 * d);
  long double v[4] = {1.5L, 0.25L, -0.75L, 2}, dv[4] = {0};
  __enzyme_autodiff_chain(chain, v, dv, 4);
  for (int i = 0; i < 4; i++)
    CHECK_AT("chain", i, dv[i], SLOPE(v[i], chain(v, 4)));
  double y = 1.1;
  CHECK("rounded", __enzyme_autodiff((void *)rounded, y, 20), exp(y));
  CHECK("rounded jvp", __enzyme_fwddiff((void *)rounded, y, 1.0, 20), exp(y));
  return finish();
}
