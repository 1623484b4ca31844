// One head of attention over VLA matrices with a causal mask, rotary positions and layer norm.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

static void project(int n, int d, double x[n][d], double w[d][d], double y[n][d]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++) {
      double sum = 0;
      for (int k = 0; k < d; k++)
        sum += x[i][k] * w[k][j];
      y[i][j] = sum;
    }
}
static void rotate(int n, int d, double x[n][d]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < d; j += 2) {
      const double angle = i / pow(100, (double)j / d), c = cos(angle), s = sin(angle);
      const double a = x[i][j], b = x[i][j + 1];
      x[i][j] = a * c - b * s;
      x[i][j + 1] = a * s + b * c;
    }
}
static void softmax(double *row, int n) {
  double largest = row[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (row[i] > largest)
      largest = row[i];
  for (int i = 0; i < n; i++)
    sum += row[i] = exp(row[i] - largest);
  for (int i = 0; i < n; i++)
    row[i] /= sum;
}
static void layerNorm(int d, double row[d]) {
  double mean = 0, square = 0;
  for (int j = 0; j < d; j++)
    mean += row[j];
  mean /= d;
  for (int j = 0; j < d; j++) {
    row[j] -= mean;
    square += row[j] * row[j];
  }
  const double inverse = 1 / sqrt(square / d + 1e-6);
  for (int j = 0; j < d; j++)
    row[j] *= inverse;
}

/* y = layer norm of x + attention(x) */
void head(int n, int d, double x[n][d], double wq[d][d], double wk[d][d], double wv[d][d],
          double y[n][d]) {
  double q[n][d], k[n][d], v[n][d], weights[n];
  project(n, d, x, wq, q);
  project(n, d, x, wk, k);
  project(n, d, x, wv, v);
  rotate(n, d, q);
  rotate(n, d, k);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      weights[j] = 0;
      for (int c = 0; c < d; c++)
        weights[j] += q[i][c] * k[j][c] / sqrt(d);
    }
    softmax(weights, i + 1);
    memcpy(y[i], x[i], sizeof y[i]);
    for (int j = 0; j <= i; j++)
      for (int c = 0; c < d; c++)
        y[i][c] += weights[j] * v[j][c];
    layerNorm(d, y[i]);
  }
}

enum { N = 5, D = 4, X = N * D, W = D * D, ALL = X + 3 * W };
typedef double Rows[D];
#define PARTS(A) (Rows *)(A), (Rows *)((A) + X), (Rows *)((A) + X + W), (Rows *)((A) + X + 2 * W)

static double weighted(double *a, const double *u) {
  double y[X];
  head(N, D, PARTS(a), (Rows *)y);
  return innerProduct(u, y, X);
}

int main(void) {
  double a[ALL], d[ALL] = {0}, t[ALL], u[X], du[X], y[X], ty[X] = {0};
  fill(a, ALL, 53, -1, 1);
  fill(t, ALL, 54, -1, 1);
  fill(u, X, 55, -1, 1);
  memcpy(du, u, sizeof u);
  __enzyme_autodiff((void *)head, N, D, a, d, a + X, d + X, a + X + W, d + X + W, a + X + 2 * W,
                    d + X + 2 * W, y, du);
  CHECK_SLOPES_WITHIN(1e-3, "a", ALL, a, d, weighted(a, u));
  __enzyme_fwddiff((void *)head, N, D, a, t, a + X, t + X, a + X + W, t + X + W, a + X + 2 * W,
                   t + X + 2 * W, y, ty);
  CHECK_FORWARD("head", innerProduct(u, ty, X), ALL, t, d);
  return finish();
}
