// A natural cubic spline: tridiagonal solve at creation, binary search in the table at evaluation.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct spline {
  int n;
  double *x, *y, *curvature;
} spline;

static spline *spline_new(const double *x, const double *y, int n) {
  spline *s = malloc(sizeof *s);
  double *upper = malloc(n * sizeof *upper);
  s->n = n;
  s->x = malloc(3 * n * sizeof *s->x);
  s->y = s->x + n;
  s->curvature = s->y + n;
  for (int i = 0; i < n; i++) {
    s->x[i] = x[i];
    s->y[i] = y[i];
  }
  s->curvature[0] = upper[0] = 0;
  for (int i = 1; i < n - 1; i++) {
    double whole = x[i + 1] - x[i - 1], ratio = (x[i] - x[i - 1]) / whole;
    double pivot = ratio * s->curvature[i - 1] + 2;
    double bend = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
    s->curvature[i] = (ratio - 1) / pivot;
    upper[i] = (6 * bend / whole - ratio * upper[i - 1]) / pivot;
  }
  s->curvature[n - 1] = 0;
  for (int k = n - 2; k >= 0; k--)
    s->curvature[k] = s->curvature[k] * s->curvature[k + 1] + upper[k];
  free(upper);
  return s;
}
static void spline_free(spline *s) {
  if (!s)
    return;
  free(s->x);
  free(s);
}
static int find(const spline *s, double at) {
  int low = 0, high = s->n - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (s->x[middle] > at)
      high = middle;
    else
      low = middle;
  }
  return low;
}
static double spline_eval(const spline *s, double at) {
  int i = find(s, at);
  double h = s->x[i + 1] - s->x[i];
  double a = (s->x[i + 1] - at) / h, b = (at - s->x[i]) / h;
  return a * s->y[i] + b * s->y[i + 1] +
         ((a * a * a - a) * s->curvature[i] + (b * b * b - b) * s->curvature[i + 1]) * h * h / 6;
}

/* The work along a path through the table. */
double work(const double *x, const double *y, int n, const double *path, int points) {
  spline *s = spline_new(x, y, n);
  double sum = 0;
  for (int p = 0; p + 1 < points; p++)
    sum += 0.5 * (spline_eval(s, path[p]) + spline_eval(s, path[p + 1])) * (path[p + 1] - path[p]);
  spline_free(s);
  return sum;
}

enum { N = 7, POINTS = 9, ALL = 2 * N + POINTS };

int main(void) {
  double x[N] = {0, 0.7, 1.5, 2.1, 3.2, 4, 4.9}, y[N], path[POINTS], t[ALL], d[ALL] = {0};
  fill(y, N, 15, -1, 1);
  fill(path, POINTS, 16, 0.1, 4.8);
  fill(t, ALL, 17, -1, 1);
  __enzyme_autodiff((void *)work, x, d, y, d + N, N, path, d + 2 * N, POINTS);
  CHECK_SLOPES_WITHIN(1e-3, "x", N, x, d, work(x, y, N, path, POINTS));
  CHECK_SLOPES_WITHIN(1e-3, "y", N, y, d + N, work(x, y, N, path, POINTS));
  CHECK_SLOPES_WITHIN(1e-3, "path", POINTS, path, d + 2 * N, work(x, y, N, path, POINTS));
  double tangent = __enzyme_fwddiff((void *)work, x, t, y, t + N, N, path, t + 2 * N, POINTS);
  CHECK_FORWARD("work", tangent, ALL, t, d);
  return finish();
}
