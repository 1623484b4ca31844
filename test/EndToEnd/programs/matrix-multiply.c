// Matrix products three ways: rows behind pointers, VLA parameters, and blocks of one flat array.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define MIN(A, B) ((A) < (B) ? (A) : (B))
#define AT(M, LD, I, J) ((M)[(I) * (LD) + (J)])

typedef struct {
  int rows, cols;
  double **data;
} Matrix;

static Matrix *matrixNew(int rows, int cols) {
  Matrix *m = malloc(sizeof *m);
  m->rows = rows;
  m->cols = cols;
  m->data = malloc(rows * sizeof *m->data);
  for (int i = 0; i < rows; i++)
    m->data[i] = calloc(cols, sizeof **m->data);
  return m;
}
static void matrixFree(Matrix *m) {
  for (int i = 0; i < m->rows; i++)
    free(m->data[i]);
  free(m->data);
  free(m);
}
static int matrixMultiply(const Matrix *a, const Matrix *b, Matrix *c) {
  if (a->cols != b->rows || c->rows != a->rows || c->cols != b->cols)
    return -1;
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->cols; j++) {
      double sum = 0;
      for (int k = 0; k < a->cols; k++)
        sum += a->data[i][k] * b->data[k][j];
      c->data[i][j] = sum;
    }
  return 0;
}

/* The trace of a*b*a, by way of matrices on the heap. */
double byRows(const double *a, const double *b, int n) {
  Matrix *x = matrixNew(n, n), *y = matrixNew(n, n), *z = matrixNew(n, n), *w = matrixNew(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x->data[i][j] = a[i * n + j];
      y->data[i][j] = b[i * n + j];
    }
  double trace = 0;
  if (matrixMultiply(x, y, z) == 0 && matrixMultiply(z, x, w) == 0)
    for (int i = 0; i < n; i++)
      trace += w->data[i][i];
  matrixFree(x);
  matrixFree(y);
  matrixFree(z);
  matrixFree(w);
  return trace;
}

static void multiply(int n, double a[n][n], double b[n][n], double c[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}
double byVla(int n, double a[n][n], double b[n][n]) {
  double c[n][n], d[n][n], trace = 0;
  multiply(n, a, b, c);
  multiply(n, c, a, d);
  for (int i = 0; i < n; i++)
    trace += d[i][i];
  return trace;
}

static void gemmBlock(int n, int block, const double *a, const double *b, double *c) {
  for (int ii = 0; ii < n; ii += block)
    for (int kk = 0; kk < n; kk += block)
      for (int jj = 0; jj < n; jj += block)
        for (int i = ii; i < MIN(ii + block, n); i++)
          for (int k = kk; k < MIN(kk + block, n); k++) {
            const double factor = AT(a, n, i, k);
            for (int j = jj; j < MIN(jj + block, n); j++)
              AT(c, n, i, j) += factor * AT(b, n, k, j);
          }
}
double byBlocks(const double *a, const double *b, int n) {
  double *c = calloc(2 * n * n, sizeof(double)), *d = c + n * n, trace = 0;
  gemmBlock(n, 2, a, b, c);
  gemmBlock(n, 3, c, a, d);
  for (int i = 0; i < n; i++)
    trace += AT(d, n, i, i);
  free(c);
  return trace;
}

enum { N = 4, NN = N * N };

int main(void) {
  double a[NN], b[NN], t[2 * NN], d[2 * NN];
  fill(a, NN, 1, -1, 1);
  fill(b, NN, 2, -1, 1);
  fill(t, 2 * NN, 3, -1, 1);

  memset(d, 0, sizeof d);
  __enzyme_autodiff((void *)byRows, a, d, b, d + NN, N);
  CHECK_SLOPES("rows a", NN, a, d, byRows(a, b, N));
  CHECK_SLOPES("rows b", NN, b, d + NN, byRows(a, b, N));
  CHECK_FORWARD("rows", __enzyme_fwddiff((void *)byRows, a, t, b, t + NN, N), 2 * NN, t, d);

  double e[2 * NN] = {0}, f[2 * NN] = {0};
  __enzyme_autodiff((void *)byVla, N, a, e, b, e + NN);
  __enzyme_autodiff((void *)byBlocks, a, f, b, f + NN, N);
  for (int i = 0; i < 2 * NN; i++) {
    CHECK_AT("vla", i, e[i], d[i]);
    CHECK_AT("blocks", i, f[i], d[i]);
  }
  CHECK_FORWARD("vla", __enzyme_fwddiff((void *)byVla, N, a, t, b, t + NN), 2 * NN, t, d);
  CHECK_FORWARD("blocks", __enzyme_fwddiff((void *)byBlocks, a, t, b, t + NN, N), 2 * NN, t, d);
  return finish();
}
