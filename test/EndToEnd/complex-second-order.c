// Complex rules, differentiated again; and in several directions at once.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <complex.h>
double f(double x) {
  double complex z = x + 0.5 * I;
  z = csqrt(z * cexp(z)) + cpow(z, 2.5 + I) / z + clog(z);
  return cabs(z) * carg(z) + creal(z);
}
double df(double x) { return __enzyme_autodiff((void *)f, x); }
double dff(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
struct V {
  double a, b;
};
struct V __enzyme_fwddiff_w(void *, ...);
int main() {
  double x = 0.7;
  CHECK("rr", __enzyme_autodiff((void *)df, x), SLOPE_WITHIN(1e-3, x, df(x)));
  CHECK("fr", __enzyme_fwddiff((void *)df, x, 1.0), SLOPE_WITHIN(1e-3, x, df(x)));
  CHECK("rf", __enzyme_autodiff((void *)dff, x), SLOPE_WITHIN(1e-3, x, dff(x)));
  struct V v = __enzyme_fwddiff_w((void *)f, enzyme_width, 2, x, 1.0, -2.0);
  CHECK("w0", v.a, SLOPE_WITHIN(1e-3, x, f(x)));
  CHECK("w1", v.b, -2 * v.a);
  return finish();
}
