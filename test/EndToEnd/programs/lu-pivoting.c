// Gaussian elimination with row exchanges by pointer, error codes, and the determinant's logarithm.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

enum { LU_OK = 0, LU_SINGULAR = 1, LU_NO_MEMORY = 2 };

typedef struct {
  int n, sign;
  double **row; /* exchanged, never copied */
  double *store;
  int *permutation;
} Factors;

static int factorize(Factors *f, const double *a, int n) {
  f->n = n;
  f->sign = 1;
  f->store = malloc(n * n * sizeof(double));
  f->row = malloc(n * sizeof(double *));
  f->permutation = malloc(n * sizeof(int));
  if (!f->store || !f->row || !f->permutation)
    return LU_NO_MEMORY;
  memcpy(f->store, a, n * n * sizeof(double));
  for (int i = 0; i < n; i++) {
    f->row[i] = f->store + i * n;
    f->permutation[i] = i;
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(f->row[i][k]) > fabs(f->row[best][k]))
        best = i;
    if (fabs(f->row[best][k]) < 1e-12)
      return LU_SINGULAR;
    if (best != k) {
      double *row = f->row[k];
      f->row[k] = f->row[best];
      f->row[best] = row;
      int index = f->permutation[k];
      f->permutation[k] = f->permutation[best];
      f->permutation[best] = index;
      f->sign = -f->sign;
    }
    for (int i = k + 1; i < n; i++) {
      double factor = f->row[i][k] /= f->row[k][k];
      for (int j = k + 1; j < n; j++)
        f->row[i][j] -= factor * f->row[k][j];
    }
  }
  return LU_OK;
}
static void solve(const Factors *f, const double *b, double *x) {
  for (int i = 0; i < f->n; i++) {
    x[i] = b[f->permutation[i]];
    for (int j = 0; j < i; j++)
      x[i] -= f->row[i][j] * x[j];
  }
  for (int i = f->n - 1; i >= 0; i--) {
    for (int j = i + 1; j < f->n; j++)
      x[i] -= f->row[i][j] * x[j];
    x[i] /= f->row[i][i];
  }
}
static void destroy(Factors *f) {
  free(f->store);
  free(f->row);
  free(f->permutation);
}

/* Solves a*x = b in x; returns an error code. */
int solveSystem(const double *a, const double *b, double *x, int n) {
  Factors f;
  int status = factorize(&f, a, n);
  if (status == LU_OK)
    solve(&f, b, x);
  destroy(&f);
  return status;
}
double logDeterminant(const double *a, int n) {
  Factors f;
  double sum = 0;
  if (factorize(&f, a, n) == LU_OK)
    for (int i = 0; i < n; i++)
      sum += log(fabs(f.row[i][i]));
  destroy(&f);
  return sum;
}

enum { N = 4, NN = N * N };

static double weighted(const double *a, const double *b, const double *w) {
  double x[N];
  solveSystem(a, b, x, N);
  return innerProduct(w, x, N);
}

int main(void) {
  double a[NN], b[N], w[N], t[NN + N], tx[N] = {0}, x[N];
  fill(a, NN, 17, -2, 2);
  fill(b, N, 12, -1, 1);
  fill(w, N, 13, -1, 1);
  fill(t, NN + N, 14, -1, 1);
  a[0] = 1e-3; /* so that rows are exchanged */

  double d[NN + N] = {0}, dx[N];
  memcpy(dx, w, sizeof dx);
  __enzyme_autodiff((void *)solveSystem, a, d, b, d + NN, x, dx, N);
  CHECK_SLOPES("a", NN, a, d, weighted(a, b, w));
  CHECK_SLOPES("b", N, b, d + NN, weighted(a, b, w));
  __enzyme_fwddiff((void *)solveSystem, a, t, b, t + NN, x, tx, N);
  CHECK_FORWARD("solve", innerProduct(w, tx, N), NN + N, t, d);

  double e[NN] = {0}, inverse[N] = {0}, unit[N] = {0};
  __enzyme_autodiff((void *)logDeterminant, a, e, N);
  for (int i = 0; i < N; i++) {
    unit[i] = 1;
    solveSystem(a, unit, inverse, N); /* the gradient is the inverse, transposed */
    unit[i] = 0;
    for (int j = 0; j < N; j++)
      CHECK_AT("inverse", i * N + j, e[i * N + j], inverse[j]);
  }
  CHECK_FORWARD("determinant", __enzyme_fwddiff((void *)logDeterminant, a, t, N), NN, t, e);
  return finish();
}
