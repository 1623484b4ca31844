// Conjugate gradients with a convergence test, vectors in one work array, a matrix-free operator.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

static double dot(int n, const double *x, const double *y) {
  double s = 0.0;
  while (n-- > 0)
    s += *x++ * *y++;
  return s;
}
static void axpy(int n, double a, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}
/* y = (diag(c) - second differences) x */
static void apply(int n, const double *c, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = (2 + c[i]) * x[i];
    if (i > 0)
      y[i] -= x[i - 1];
    if (i + 1 < n)
      y[i] -= x[i + 1];
  }
}
static int cg(int n, const double *c, const double *b, double *x, double tolerance, int limit) {
  double *work = malloc(3 * n * sizeof *work);
  double *r = work, *p = work + n, *q = work + 2 * n;
  int iteration = 0;
  memset(x, 0, n * sizeof *x);
  memcpy(r, b, n * sizeof *r);
  memcpy(p, b, n * sizeof *p);
  double rho = dot(n, r, r);
  while (sqrt(rho) > tolerance && iteration < limit) {
    apply(n, c, p, q);
    double alpha = rho / dot(n, p, q);
    axpy(n, alpha, p, x);
    axpy(n, -alpha, q, r);
    double next = dot(n, r, r), beta = next / rho;
    for (int i = 0; i < n; i++)
      p[i] = r[i] + beta * p[i];
    rho = next;
    iteration++;
  }
  free(work);
  return iteration;
}

double compliance(const double *c, const double *b, int n, int *iterations) {
  double x[n];
  *iterations = cg(n, c, b, x, 1e-11, 5 * n);
  return dot(n, b, x);
}

enum { N = 9 };

int main(void) {
  double c[N], b[N], t[2 * N], d[2 * N] = {0}, x[N];
  int iterations = 0;
  fill(c, N, 21, 0.1, 1);
  fill(b, N, 22, -1, 1);
  fill(t, 2 * N, 23, -1, 1);
  __enzyme_autodiff((void *)compliance, c, d, b, d + N, N, enzyme_const, &iterations);
  show("iterations", iterations, 0.2);
  if (cg(N, c, b, x, 1e-13, 100) > 99)
    failures++;
  for (int i = 0; i < N; i++) { /* d(b'x) = 2 x' db - x' dA x */
    CHECK_AT("c", i, d[i], -x[i] * x[i]);
    CHECK_AT("b", i, d[N + i], 2 * x[i]);
  }
  double tangent =
      __enzyme_fwddiff((void *)compliance, c, t, b, t + N, N, enzyme_const, &iterations);
  CHECK_FORWARD("compliance", tangent, 2 * N, t, d);
  return finish();
}
