// Branches: chains, nesting, switch with fall-through, early returns, selects, short circuits.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double chain(double x, double y) {
  double r = x;
  if (x > y && x > 0)
    r = x * y;
  else if (x < -1 || y > 3)
    r = sin(x) * y * y;
  else {
    if (y < 0)
      return exp(x + y);
    r += y * y * y;
  }
  return r > 2 ? r * r : 3 * r;
}
double choose(double x, int which) {
  double r = 1;
  switch (which) {
  case 0:
    return x * x;
  case 1:
    r = cos(x);
    break;
  case 2:
    r = x; // falls through
  case 3:
    r = r * x + 1;
    break;
  case 10:
    r = x > 1 ? log(x) : x;
    break;
  default:
    r = 2;
  }
  return r * x;
}
double largest(const double *x, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > x[best])
      best = i;
  double r = x[best];
  for (int i = 0; i < n; i++)
    if (i != best && x[i] > 0)
      r += x[i] * x[best];
  return r;
}

typedef struct {
  double x, y;
} Pair;
Pair __enzyme_autodiff_pair(void *, ...);

int main(void) {
  double points[][2] = {{1, 0.5},     {2, 1.7},   {-2, 1},   {0.5, 4},
                        {-0.5, -0.2}, {0.2, 0.7}, {0.3, 1.3}};
  for (int i = 0; i < 7; i++) {
    double x = points[i][0], y = points[i][1];
    Pair g = __enzyme_autodiff_pair((void *)chain, x, y);
    CHECK_AT("chain dx", i, g.x, SLOPE(x, chain(x, y)));
    CHECK_AT("chain dy", i, g.y, SLOPE(y, chain(x, y)));
    CHECK_AT("chain jvp", i, __enzyme_fwddiff((void *)chain, x, 2.0, y, -1.0), 2 * g.x - g.y);
  }
  int cases[] = {0, 1, 2, 3, 10, 4, -7};
  for (int i = 0; i < 7; i++) {
    double x = 1.4;
    double d = __enzyme_autodiff((void *)choose, x, cases[i]);
    CHECK_AT("choose", i, d, SLOPE(x, choose(x, cases[i])));
    CHECK_AT("choose jvp", i, __enzyme_fwddiff((void *)choose, x, 1.0, cases[i]), d);
  }
  double x[] = {0.3, -0.8, 1.9, 0.7, -2}, dx[5] = {0}, t[] = {1, -2, 0.5, 3, 1};
  __enzyme_autodiff((void *)largest, x, dx, 5);
  for (int i = 0; i < 5; i++)
    CHECK_AT("largest", i, dx[i], SLOPE(x[i], largest(x, 5)));
  CHECK("largest jvp", __enzyme_fwddiff((void *)largest, x, t, 5), innerProduct(t, dx, 5));
  return finish();
}
