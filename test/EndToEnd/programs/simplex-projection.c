// The projection on the simplex sorts with qsort; projected gradient steps on a portfolio.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

static int descending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}
static void project(double *x, int n) {
  double *sorted = malloc(n * sizeof *sorted), sum = 0, shift = 0;
  memcpy(sorted, x, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, descending);
  for (int i = 0; i < n; i++) {
    sum += sorted[i];
    double candidate = (sum - 1) / (i + 1);
    if (sorted[i] > candidate)
      shift = candidate;
  }
  free(sorted);
  for (int i = 0; i < n; i++)
    x[i] = x[i] > shift ? x[i] - shift : 0;
}

/* Utility of the portfolio after some steps of projected ascent. */
double portfolio(const double *returns, const double *covariance, int n, double aversion,
                 int steps) {
  double *x = malloc(n * sizeof *x), *g = malloc(n * sizeof *g), utility = 0;
  for (int i = 0; i < n; i++)
    x[i] = 1.0 / n;
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++) {
      g[i] = returns[i];
      for (int j = 0; j < n; j++)
        g[i] -= aversion * covariance[i * n + j] * x[j];
    }
    for (int i = 0; i < n; i++)
      x[i] += 0.3 * g[i];
    project(x, n);
  }
  for (int i = 0; i < n; i++) {
    utility += returns[i] * x[i];
    for (int j = 0; j < n; j++)
      utility -= 0.5 * aversion * x[i] * covariance[i * n + j] * x[j];
  }
  free(x);
  free(g);
  return utility;
}

enum { N = 6, ALL = N + N * N };

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0}, aversion = 1.7;
  fill(x, N, 86, 0, 1);
  fill(x + N, N * N, 87, -0.2, 0.3);
  fill(t, ALL, 88, -1, 1);
  for (int i = 0; i < N; i++)
    x[N + i * N + i] += 0.7;
  double da = __enzyme_autodiff((void *)portfolio, x, d, x + N, d + N, N, aversion, 5);
  CHECK_SLOPES_WITHIN(1e-5, "x", ALL, x, d, portfolio(x, x + N, N, aversion, 5));
  CHECK("aversion", da, SLOPE_WITHIN(1e-5, aversion, portfolio(x, x + N, N, aversion, 5)));
  double tangent = __enzyme_fwddiff((void *)portfolio, x, t, x + N, t + N, N, aversion, 0.6, 5);
  CHECK("forward", tangent, innerProduct(t, d, ALL) + 0.6 * da);
  return finish();
}
