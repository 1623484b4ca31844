// The exponential of a matrix by scaling and squaring with a Pade quotient; a Markov chain's density.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define N 3

typedef struct {
  double a[N][N];
} Matrix;

static const Matrix identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static Matrix multiply(const Matrix *x, const Matrix *y) {
  Matrix z = {{{0}}};
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++)
        z.a[i][j] += x->a[i][k] * y->a[k][j];
  return z;
}
static void addScaled(Matrix *x, double f, const Matrix *y) {
  double *p = &x->a[0][0];
  const double *q = &y->a[0][0];
  for (int i = 0; i < N * N; i++)
    p[i] += f * q[i];
}
static double norm(const Matrix *x) {
  double largest = 0;
  for (int i = 0; i < N; i++) {
    double row = 0;
    for (int j = 0; j < N; j++)
      row += fabs(x->a[i][j]);
    if (row > largest)
      largest = row;
  }
  return largest;
}
/* Gauss-Jordan without exchange: the denominator is near the identity. */
static Matrix solve(Matrix d, Matrix n) {
  for (int k = 0; k < N; k++) {
    double pivot = d.a[k][k];
    for (int j = 0; j < N; j++) {
      d.a[k][j] /= pivot;
      n.a[k][j] /= pivot;
    }
    for (int i = 0; i < N; i++) {
      double f = d.a[i][k];
      if (i == k)
        continue;
      for (int j = 0; j < N; j++) {
        d.a[i][j] -= f * d.a[k][j];
        n.a[i][j] -= f * n.a[k][j];
      }
    }
  }
  return n;
}
static Matrix exponential(Matrix x) {
  int exponent = 0;
  frexp(norm(&x), &exponent);
  if (exponent < 0)
    exponent = 0;
  Matrix scaled = {{{0}}}, numerator = identity, denominator = identity, power = identity;
  addScaled(&scaled, ldexp(1, -exponent), &x);
  double c = 1;
  const int q = 6;
  for (int k = 1; k <= q; k++) {
    c *= (double)(q - k + 1) / (k * (2 * q - k + 1));
    power = multiply(&scaled, &power);
    addScaled(&numerator, c, &power);
    addScaled(&denominator, k % 2 ? -c : c, &power);
  }
  Matrix result = solve(denominator, numerator);
  while (exponent-- > 0)
    result = multiply(&result, &result);
  return result;
}

/* Log-likelihood of states seen at times, for rates of transition. */
double likelihood(const double rates[N][N], const int *states, const double *times, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    Matrix q = {{{0}}};
    for (int r = 0; r < N; r++)
      for (int c = 0; c < N; c++)
        if (r != c) {
          double move = rates[r][c] * (times[i + 1] - times[i]);
          q.a[r][c] += move;
          q.a[r][r] -= move;
        }
    sum += log(exponential(q).a[states[i]][states[i + 1]]);
  }
  return sum;
}

enum { SEEN = 6 };

int main(void) {
  static const int states[SEEN] = {0, 1, 1, 2, 0, 2};
  double rates[N][N], times[SEEN] = {0, 0.4, 1.5, 4, 4.1, 7}, d[N * N + SEEN] = {0},
                      t[N * N + SEEN];
  double *x = &rates[0][0];
  fill(x, N * N, 72, 0.2, 1.5);
  fill(t, N * N + SEEN, 73, -1, 1);
  __enzyme_autodiff((void *)likelihood, rates, d, enzyme_const, states, times, d + N * N, SEEN);
#define VALUE likelihood((const double (*)[N])rates, states, times, SEEN)
  CHECK_SLOPES_WITHIN(1e-3, "rate", N * N, x, d, VALUE);
  CHECK_SLOPES_WITHIN(1e-3, "time", SEEN, times, d + N * N, VALUE);
  double tangent =
      __enzyme_fwddiff((void *)likelihood, rates, t, enzyme_const, states, times, t + N * N, SEEN);
  CHECK_FORWARD("likelihood", tangent, N * N + SEEN, t, d);
  return finish();
}
