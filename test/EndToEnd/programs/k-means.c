// The k-means objective with hard assignment, Lloyd's iteration, and its gradient and curvature.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <float.h>

static double squareDistance(const double *a, const double *b, int d) {
  double sum = 0;
  while (d--) {
    double e = *a++ - *b++;
    sum += e * e;
  }
  return sum;
}
static int closest(const double *point, const double *centres, int k, int d, double *distance) {
  int best = -1;
  *distance = DBL_MAX;
  for (int c = 0; c < k; c++) {
    double s = squareDistance(point, centres + c * d, d);
    if (s < *distance) {
      *distance = s;
      best = c;
    }
  }
  return best;
}

double cost(int n, int k, int d, const double *points, const double *centres) {
  double sum = 0, distance;
  for (int i = 0; i < n; i++) {
    closest(points + i * d, centres, k, d, &distance);
    sum += distance;
  }
  return sum;
}
/* Moves the centres until no point changes its cluster; returns the number of rounds. */
static int lloyd(int n, int k, int d, const double *points, double *centres) {
  int *cluster = malloc(n * sizeof(int)), *size = malloc(k * sizeof(int)), changed = 1, rounds = 0;
  memset(cluster, -1, n * sizeof(int));
  for (; changed && rounds < 20; rounds++) {
    changed = 0;
    for (int i = 0; i < n; i++) {
      double ignored;
      int c = closest(points + i * d, centres, k, d, &ignored);
      changed |= c != cluster[i];
      cluster[i] = c;
    }
    memset(size, 0, k * sizeof(int));
    memset(centres, 0, k * d * sizeof(double));
    for (int i = 0; i < n; i++) {
      size[cluster[i]]++;
      for (int j = 0; j < d; j++)
        centres[cluster[i] * d + j] += points[i * d + j];
    }
    for (int c = 0; c < k; c++)
      for (int j = 0; j < d && size[c]; j++)
        centres[c * d + j] /= size[c];
  }
  free(cluster);
  free(size);
  return rounds;
}
double costAfter(int n, int k, int d, const double *points, const double *start) {
  double centres[k * d];
  for (int i = 0; i < k * d; i++)
    centres[i] = start[i];
  lloyd(n, k, d, points, centres);
  return cost(n, k, d, points, centres);
}

enum { N = 11, K = 3, D = 2 };

int main(void) {
  double p[N * D], c[K * D], t[(N + K) * D], d[(N + K) * D] = {0}, e[(N + K) * D] = {0};
  fill(p, N * D, 29, -1, 1);
  fill(c, K * D, 30, -1, 1);
  fill(t, (N + K) * D, 31, -1, 1);
  __enzyme_autodiff((void *)cost, N, K, D, p, d, c, d + N * D);
  CHECK_SLOPES_WITHIN(1e-4, "point", N * D, p, d, cost(N, K, D, p, c));
  CHECK_SLOPES_WITHIN(1e-4, "centre", K * D, c, d + N * D, cost(N, K, D, p, c));
  CHECK_FORWARD("cost", __enzyme_fwddiff((void *)cost, N, K, D, p, t, c, t + N * D), (N + K) * D, t,
                d);

  __enzyme_autodiff((void *)costAfter, N, K, D, p, e, c, e + N * D);
  CHECK_SLOPES_WITHIN(1e-4, "lloyd", N * D, p, e, costAfter(N, K, D, p, c));
  for (int i = 0; i < K * D; i++) /* once clusters are fixed the start does not matter */
    CHECK_AT("start", i, e[N * D + i], 0);
  CHECK_FORWARD("lloyd", __enzyme_fwddiff((void *)costAfter, N, K, D, p, t, c, t + N * D),
                (N + K) * D, t, e);
  return finish();
}
