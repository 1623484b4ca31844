// Cholesky factors in place in packed storage; the likelihood of a Gaussian process.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

/* The lower triangle, row by row. */
#define PACKED(I, J) ((I) * ((I) + 1) / 2 + (J))

typedef struct {
  double length, amplitude, noise;
} Kernel;

static double covariance(const Kernel *k, double x, double y) {
  const double u = (x - y) / k->length;
  return k->amplitude * k->amplitude * exp(-0.5 * u * u);
}
/* Returns 0, or the row at which the matrix is not positive. */
static int cholesky(double *l, int n) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      l[PACKED(j, j)] -= l[PACKED(j, k)] * l[PACKED(j, k)];
    if (l[PACKED(j, j)] <= 0)
      return j + 1;
    l[PACKED(j, j)] = sqrt(l[PACKED(j, j)]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++)
        l[PACKED(i, j)] -= l[PACKED(i, k)] * l[PACKED(j, k)];
      l[PACKED(i, j)] /= l[PACKED(j, j)];
    }
  }
  return 0;
}
static void forwardSolve(const double *l, double *b, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      b[i] -= l[PACKED(i, j)] * b[j];
    b[i] /= l[PACKED(i, i)];
  }
}

double likelihood(const Kernel *kernel, const double *x, const double *y, int n) {
  double *l = malloc((n * (n + 1) / 2 + n) * sizeof(double));
  double *r = l + n * (n + 1) / 2;
  double result = -HUGE_VAL;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      l[PACKED(i, j)] = covariance(kernel, x[i], x[j]);
    l[PACKED(i, i)] += kernel->noise * kernel->noise;
    r[i] = y[i];
  }
  if (cholesky(l, n) != 0)
    goto done;
  forwardSolve(l, r, n);
  result = -0.5 * n * log(2 * M_PI);
  for (int i = 0; i < n; i++)
    result -= 0.5 * r[i] * r[i] + log(l[PACKED(i, i)]);
done:
  free(l);
  return result;
}

enum { N = 6 };

int main(void) {
  double x[N], y[N], t[3 + 2 * N], d[3 + 2 * N] = {0};
  fill(x, N, 4, 0, 5);
  fill(y, N, 5, -1, 1);
  fill(t, 3 + 2 * N, 6, -1, 1);
  Kernel k = {1.2, 0.9, 0.4};
  __enzyme_autodiff((void *)likelihood, &k, d, x, d + 3, y, d + 3 + N, N);
  CHECK_SLOPES("kernel", 3, &k.length, d, likelihood(&k, x, y, N));
  CHECK_SLOPES("x", N, x, d + 3, likelihood(&k, x, y, N));
  CHECK_SLOPES("y", N, y, d + 3 + N, likelihood(&k, x, y, N));
  CHECK_FORWARD("likelihood",
                __enzyme_fwddiff((void *)likelihood, &k, t, x, t + 3, y, t + 3 + N, N), 3 + 2 * N,
                t, d);
  return finish();
}
