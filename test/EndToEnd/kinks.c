// At kinks, zeros and infinities: derivatives are finite where the value's path is, never NaN by 0
// * inf.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double guarded(double x) { return x > 0 ? sqrt(x) * x : 0; }
double unused(double x) { // the root's derivative is infinite, and meets a zero
  double root = sqrt(x);
  return x * x + 0 * root;
}
double distance(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double gap = fabs(a[i] - b[i]);
    sum += gap > 1 ? gap - 0.5 : 0.5 * gap * gap;
  }
  return sum;
}
double powers(double x, int n) {
  double sum = 0;
  for (int i = 1; i <= n; i++)
    sum += pow(x, i);
  return sum;
}
double selected(double x, double y) {
  double quotient = x / y; // infinite for y = 0, and not chosen there
  return y == 0 ? x * x : quotient;
}

int main(void) {
  CHECK("guarded at 0", __enzyme_autodiff((void *)guarded, 0.0), 0);
  CHECK("guarded at 4", __enzyme_autodiff((void *)guarded, 4.0), 3);
  CHECK("zero incoming", __enzyme_autodiff((void *)unused, 0.0), 0);
  CHECK("zero incoming, forward", __enzyme_fwddiff((void *)unused, 0.0, 0.0), 0);
  CHECK("power at 0", __enzyme_autodiff((void *)powers, 0.0, 4), 1);
  CHECK("power at -2", __enzyme_autodiff((void *)powers, -2.0, 3), 1 - 4 + 12);
  CHECK("selected at 0", __enzyme_autodiff((void *)selected, 3.0, enzyme_const, 0.0), 6);
  CHECK("selected", __enzyme_autodiff((void *)selected, 3.0, enzyme_const, 4.0), 0.25);
  double a[4] = {1, 2, 3, 4}, b[4] = {1.5, 0, 3.25, 9}, da[4] = {0};
  __enzyme_autodiff((void *)distance, a, da, enzyme_const, b, 4);
  double expected[] = {-0.5, 1, -0.25, -1};
  for (int i = 0; i < 4; i++)
    CHECK_AT("distance", i, da[i], expected[i]);
  return finish();
}
