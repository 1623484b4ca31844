// A smooth escape count of z*z + c, with its derivative by hand, and early exits of several kinds.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

enum outcome { INSIDE, ESCAPED, CYCLE };

static enum outcome iterate(double cx, double cy, int limit, double *smooth) {
  double x = 0, y = 0, oldX = 0, oldY = 0;
  int period = 0;
  double q = (cx - 0.25) * (cx - 0.25) + cy * cy;
  *smooth = 0;
  if (q * (q + (cx - 0.25)) <= 0.25 * cy * cy)
    return INSIDE;
  for (int i = 0; i < limit; i++) {
    double xx = x * x, yy = y * y;
    if (xx + yy > 1e6) {
      *smooth = i + 1 - log(log(xx + yy) / 2) / log(2.0);
      return ESCAPED;
    }
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    if (x == oldX && y == oldY)
      return CYCLE;
    if (++period > 20) {
      period = 0;
      oldX = x;
      oldY = y;
    }
  }
  return INSIDE;
}

/* Sums the counts over a grid whose corner and size are differentiated. */
double picture(double left, double top, double size, int n, int *escaped) {
  double sum = 0, count;
  *escaped = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      switch (iterate(left + size * i / (n - 1), top + size * j / (n - 1), 60, &count)) {
      case ESCAPED:
        sum += count * (1 + 0.1 * i - 0.2 * j);
        ++*escaped;
        break;
      case INSIDE:
        break;
      case CYCLE:
        sum += 1;
      }
    }
  return sum;
}

typedef struct {
  double left, top, size;
} Gradient;
Gradient __enzyme_autodiff_gradient(void *, ...);

int main(void) {
  double x[3] = {-1.83, -1.27, 2.51};
  int escaped, ignored;
  Gradient g =
      __enzyme_autodiff_gradient((void *)picture, x[0], x[1], x[2], 8, enzyme_const, &escaped);
  double d[3] = {g.left, g.top, g.size}, t[3] = {0.3, -0.8, 0.4};
  show("escaped", escaped, 0);
  if (escaped < 20 || escaped == 64)
    failures++;
  CHECK_SLOPES_WITHIN(1e-6, "x", 3, x, d, picture(x[0], x[1], x[2], 8, &ignored));
  CHECK_FORWARD("picture",
                __enzyme_fwddiff((void *)picture, x[0], t[0], x[1], t[1], x[2], t[2], 8,
                                 enzyme_const, &ignored),
                3, t, d);
  return finish();
}
