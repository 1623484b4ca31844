// Dense linear algebra: product, LU, Cholesky, triangular solves, a quadratic form.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 5 };

void multiply(double *restrict c, const double *a, const double *b, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
// The determinant by LU in place, without pivoting.
double determinant(const double *in, int n) {
  double a[N * N], det = 1;
  for (int i = 0; i < n * n; i++)
    a[i] = in[i];
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
    det *= a[k * n + k];
  }
  return det;
}
static void cholesky(double l[N][N], const double *a) {
  for (int j = 0; j < N; j++)
    for (int i = j; i < N; i++) {
      double sum = a[i * N + j];
      for (int k = 0; k < j; k++)
        sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
}
// b' inv(a) b + log det a, of a symmetric positive matrix (lower half read)
double likelihood(const double *a, const double *b) {
  double l[N][N] = {{0}}, y[N], result = 0;
  cholesky(l, a);
  for (int i = 0; i < N; i++) {
    y[i] = b[i];
    for (int k = 0; k < i; k++)
      y[i] -= l[i][k] * y[k];
    y[i] /= l[i][i];
    result += y[i] * y[i] + 2 * log(l[i][i]);
  }
  return result;
}

int main(void) {
  double a[N * N], b[N * N], c[N * N], seed[N * N], da[N * N] = {0}, db[N * N] = {0}, dc[N * N];
  double ta[N * N], tb[N * N], tc[N * N], v[N], dv[N] = {0}, tv[N];
  fill(a, N * N, 1, -1, 1);
  fill(b, N * N, 2, -1, 1);
  fill(seed, N * N, 3, -1, 1);
  fill(ta, N * N, 4, -1, 1);
  fill(tb, N * N, 5, -1, 1);
  fill(v, N, 6, -1, 1);
  fill(tv, N, 7, -1, 1);
  memcpy(dc, seed, sizeof seed);
  __enzyme_autodiff((void *)multiply, enzyme_dupnoneed, c, dc, a, da, b, db, N);
  for (int i = 0; i < N * N; i += 3) {
    CHECK_AT("product da", i, da[i],
             SLOPE(a[i], (multiply(c, a, b, N), innerProduct(c, seed, N * N))));
    CHECK_AT("product db", i, db[i],
             SLOPE(b[i], (multiply(c, a, b, N), innerProduct(c, seed, N * N))));
  }
  __enzyme_fwddiff((void *)multiply, c, tc, a, ta, b, tb, N);
  CHECK("product jvp", innerProduct(tc, seed, N * N),
        innerProduct(ta, da, N * N) + innerProduct(tb, db, N * N));

  for (int i = 0; i < N; i++)
    a[i * N + i] += 6;
  memset(da, 0, sizeof da);
  __enzyme_autodiff((void *)determinant, a, da, N);
  for (int i = 0; i < N * N; i++)
    CHECK_AT("determinant", i, da[i], SLOPE(a[i], determinant(a, N)));
  CHECK("determinant jvp", __enzyme_fwddiff((void *)determinant, a, ta, N),
        innerProduct(ta, da, N * N));

  memset(da, 0, sizeof da);
  __enzyme_autodiff((void *)likelihood, a, da, v, dv);
  for (int i = 0; i < N * N; i++)
    CHECK_AT("likelihood da", i, da[i], SLOPE(a[i], likelihood(a, v)));
  for (int i = 0; i < N; i++)
    CHECK_AT("likelihood dv", i, dv[i], SLOPE(v[i], likelihood(a, v)));
  CHECK("likelihood jvp", __enzyme_fwddiff((void *)likelihood, a, ta, v, tv),
        innerProduct(ta, da, N * N) + innerProduct(tv, dv, N));
  return finish();
}
