// Least squares by Householder reflections in place, columns behind pointers, a condition estimate.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

static double hypotenuse(const double *x, int n) {
  double largest = 0, sum = 0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(x[i]));
  if (largest == 0.0)
    return 0.0;
  for (int i = 0; i < n; i++)
    sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}
/* Makes x into the reflector that maps it to (result, 0, ..., 0). */
static double reflector(double *x, int n) {
  double norm = hypotenuse(x, n);
  if (norm == 0)
    return 0;
  double result = x[0] > 0 ? -norm : norm;
  x[0] -= result;
  double length = hypotenuse(x, n);
  for (int i = 0; i < n; i++)
    x[i] /= length;
  return result;
}
static void reflect(const double *v, double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[i] * x[i];
  for (int i = 0; i < n; i++)
    x[i] -= 2 * sum * v[i];
}

/* Minimises |a x - b|; columns of a are overwritten. Returns the residual's norm, -1 for rank loss. */
double leastSquares(double **a, double *b, double *x, int m, int n) {
  double diagonal[n];
  for (int k = 0; k < n; k++) {
    diagonal[k] = reflector(a[k] + k, m - k);
    if (fabs(diagonal[k]) < 1e-10)
      return -1;
    for (int j = k + 1; j < n; j++)
      reflect(a[k] + k, a[j] + k, m - k);
    reflect(a[k] + k, b + k, m - k);
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = b[i];
    for (int j = i + 1; j < n; j++)
      x[i] -= a[j][i] * x[j];
    x[i] /= diagonal[i];
  }
  return hypotenuse(b + n, m - n);
}
double fit(const double *a, const double *b, const double *w, int m, int n) {
  double **columns = malloc(n * sizeof *columns), *right = malloc(m * sizeof *right);
  double x[n], sum;
  for (int j = 0; j < n; j++) {
    columns[j] = malloc(m * sizeof **columns);
    for (int i = 0; i < m; i++)
      columns[j][i] = a[i * n + j];
  }
  for (int i = 0; i < m; i++)
    right[i] = b[i];
  sum = leastSquares(columns, right, x, m, n);
  for (int j = 0; j < n; j++) {
    sum += w[j] * x[j];
    free(columns[j]);
  }
  free(columns);
  free(right);
  return sum;
}

enum { M = 6, N = 3, ALL = M * N + M + N };

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0};
  double *a = x, *b = x + M * N, *w = b + M;
  fill(x, ALL, 33, -1, 1);
  fill(t, ALL, 34, -1, 1);
  __enzyme_autodiff((void *)fit, a, d, b, d + M * N, w, d + M * N + M, M, N);
  CHECK_SLOPES_WITHIN(1e-3, "x", ALL, x, d, fit(a, b, w, M, N));
  double tangent = __enzyme_fwddiff((void *)fit, a, t, b, t + M * N, w, t + M * N + M, M, N);
  CHECK_FORWARD("fit", tangent, ALL, t, d);
  return finish();
}
