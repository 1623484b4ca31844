// Bezier curves by de Casteljau: length by subdivision, the nearest point, rows of control points.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define DIMENSION 2
#define ORDER 4
typedef double Point[DIMENSION];
typedef Point Curve[ORDER];

static void middle(const Point a, const Point b, double t, Point out) {
  for (int i = 0; i < DIMENSION; i++)
    out[i] = a[i] + t * (b[i] - a[i]);
}
static double apart(const Point a, const Point b) {
  double sum = 0;
  for (int i = 0; i < DIMENSION; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}
/* Splits at t; either half may be NULL. */
static void split(Curve c, double t, Curve left, Curve right) {
  Point work[ORDER];
  memcpy(work, c, sizeof work);
  for (int level = 0; level < ORDER; level++) {
    if (left)
      memcpy(left[level], work[0], sizeof(Point));
    if (right)
      memcpy(right[ORDER - 1 - level], work[ORDER - 1 - level], sizeof(Point));
    for (int i = 0; i + 1 < ORDER - level; i++)
      middle(work[i], work[i + 1], t, work[i]);
  }
}
static double length(Curve c, double tolerance, int depth) {
  double chord = apart(c[0], c[ORDER - 1]), polygon = 0;
  for (int i = 0; i + 1 < ORDER; i++)
    polygon += apart(c[i], c[i + 1]);
  if (polygon - chord < tolerance || depth == 0)
    return (2 * chord + (ORDER - 2) * polygon) / ORDER;
  Curve left, right;
  split(c, 0.5, left, right);
  return length(left, tolerance, depth - 1) + length(right, tolerance, depth - 1);
}
double pathLength(Curve *curves, int count) {
  double sum = 0;
  for (Curve *c = curves; c != curves + count; c++)
    sum += length(*c, 1e-3, 10);
  return sum;
}
/* The distance of a point: coarse search, then bisection on the side that is nearer. */
double distance(Curve c, const Point p) {
  double best = 0, nearest = 1e30;
  Point at;
  for (int i = 0; i <= 8; i++) {
    Curve left;
    split(c, i / 8.0, left, NULL);
    double d = apart(left[ORDER - 1], p);
    if (d < nearest) {
      nearest = d;
      best = i / 8.0;
    }
  }
  for (double step = 1.0 / 16; step > 1e-9; step /= 2)
    for (int side = -1; side <= 1; side += 2) {
      Curve left;
      split(c, best + side * step, left, NULL);
      if (apart(left[ORDER - 1], p) < nearest) {
        nearest = apart(left[ORDER - 1], p);
        best += side * step;
      }
    }
  Curve right;
  split(c, best, NULL, right);
  middle(right[0], right[0], 0, at);
  return apart(at, p);
}

enum { CURVES = 2, ALL = CURVES * ORDER * DIMENSION };

int main(void) {
  Curve c[CURVES] = {{{0, 0}, {1, 2}, {2.5, -1}, {3, 0.5}}, {{3, 0.5}, {3.2, 1}, {4, 0.2}, {5, 1}}};
  Curve d[CURVES], e, t[CURVES];
  double *x = (double *)c, *dx = (double *)d, *tx = (double *)t;
  memset(d, 0, sizeof d);
  memset(e, 0, sizeof e);
  fill(tx, ALL, 43, -1, 1);
  __enzyme_autodiff((void *)pathLength, c, d, CURVES);
  CHECK_SLOPES_WITHIN(1e-6, "length", ALL, x, dx, pathLength(c, CURVES));
  CHECK_FORWARD("length", __enzyme_fwddiff((void *)pathLength, c, t, CURVES), ALL, tx, dx);

  Point p = {1.4, 1.3}, dp = {0, 0}, tp = {0.4, -0.9};
  __enzyme_autodiff((void *)distance, c[0], e, p, dp);
  for (int i = 0; i < 2; i++)
    checkWithin("point", i, dp[i], SLOPE_WITHIN(1e-3, p[i], distance(c[0], p)), 1e-6, 1e-6);
  for (int i = 0; i < ORDER * DIMENSION; i++)
    checkWithin("control", i, ((double *)e)[i], SLOPE_WITHIN(1e-3, x[i], distance(c[0], p)), 1e-6,
                1e-6);
  CHECK("distance forward", __enzyme_fwddiff((void *)distance, c[0], t[0], p, tp),
        innerProduct(tx, (double *)e, ORDER * DIMENSION) + innerProduct(tp, dp, 2));
  return finish();
}
