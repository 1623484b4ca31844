// Polynomials: straight code, two active results, Horner's loop with active coefficients.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double straight(double x, double y) {
  double a = x * x - 3 * y, b = a * y + 2 * x;
  return a * b - b / (1 + y * y) + 7;
}
double horner(const double *c, int n, double x) {
  double r = 0;
  for (int i = n; i-- > 0;)
    r = r * x + c[i];
  return r;
}

typedef struct {
  double x, y;
} Pair;
Pair __enzyme_autodiff_pair(void *, ...);

int main(void) {
  double x = 1.3, y = -0.4;
  Pair g = __enzyme_autodiff_pair((void *)straight, x, y);
  CHECK("dx", g.x, SLOPE(x, straight(x, y)));
  CHECK("dy", g.y, SLOPE(y, straight(x, y)));
  CHECK("jvp", __enzyme_fwddiff((void *)straight, x, 0.7, y, -1.1), 0.7 * g.x - 1.1 * g.y);
  CHECK("dx only", __enzyme_autodiff((void *)straight, x, enzyme_const, y), g.x);

  double c[6], dc[6] = {0}, tc[6];
  fill(c, 6, 5, -2, 2);
  fill(tc, 6, 6, -1, 1);
  double dx = __enzyme_autodiff((void *)horner, enzyme_dup, c, dc, 6, x);
  CHECK("horner dx", dx, SLOPE(x, horner(c, 6, x)));
  for (int i = 0; i < 6; i++)
    CHECK_AT("horner dc", i, dc[i], SLOPE(c[i], horner(c, 6, x)));
  double t = __enzyme_fwddiff((void *)horner, enzyme_dup, c, tc, 6, x, 0.3);
  CHECK("horner jvp", t, innerProduct(tc, dc, 6) + 0.3 * dx);
  return finish();
}
