// Elimination in place, with factors that are read in each iteration of a loop that writes in the
// same row: behind them, before them, beside them in pairs, and one that is written at last.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { M = 4 };

static double *copy(const double *x) {
  double *a = malloc(M * M * sizeof *a);
  for (int i = 0; i < M * M; i++)
    a[i] = x[i] + (i % (M + 1) ? 0 : 3);
  return a;
}

double lu(const double *x, int n) {
  double *a = copy(x), sum = 0;
  for (int k = 0; k < M; k++) {
    for (int i = k + 1; i < M; i++) {
      a[i * M + k] /= a[k * M + k];
      for (int j = k + 1; j < M; j++)
        a[i * M + j] -= a[i * M + k] * a[k * M + j];
    }
    sum += log(fabs(a[k * M + k]));
  }
  for (int i = 0; i < M * M; i++)
    sum += a[i] * (i + 1);
  free(a);
  return sum;
}

double ul(const double *x, int n) {
  double *a = copy(x), sum = 0;
  for (int k = M - 1; k >= 0; k--) {
    for (int i = k - 1; i >= 0; i--) {
      a[i * M + k] /= a[k * M + k];
      for (int j = k - 1; j >= 0; j--)
        a[i * M + j] -= a[i * M + k] * a[k * M + j];
    }
    sum += log(fabs(a[k * M + k]));
  }
  for (int i = 0; i < M * M; i++)
    sum += a[i] * (i + 1);
  free(a);
  return sum;
}

// Rows of their own, which change places.
double pivots(const double *x, int n) {
  double *rows[M], sum = 0;
  for (int i = 0; i < M; i++) {
    rows[i] = malloc(M * sizeof(double));
    for (int j = 0; j < M; j++)
      rows[i][j] = x[i * M + j];
  }
  for (int k = 0; k < M; k++) {
    int p = k;
    for (int i = k + 1; i < M; i++)
      if (fabs(rows[i][k]) > fabs(rows[p][k]))
        p = i;
    double *row = rows[k];
    rows[k] = rows[p];
    rows[p] = row;
    for (int i = k + 1; i < M; i++) {
      rows[i][k] /= rows[k][k];
      for (int j = k + 1; j < M; j++)
        rows[i][j] -= rows[i][k] * rows[k][j];
    }
    sum += log(fabs(rows[k][k]));
  }
  for (int i = 0; i < M; i++)
    free(rows[i]);
  return sum;
}

// The real and the imaginary part of a factor, before pairs.
double pairs(const double *x, int n) {
  double *a = copy(x), sum = 0;
  for (int i = 0; i < M; i++)
    for (int j = 2; j + 1 < M; j += 2) {
      double *row = a + i * M, re = row[j];
      row[j] = re * row[0] - row[j + 1] * row[1];
      row[j + 1] = re * row[1] + row[j + 1] * row[0];
    }
  for (int i = 0; i < M * M; i++)
    sum += a[i] * a[(i * 5 + 3) % (M * M)];
  free(a);
  return sum;
}

// The loop comes to the factor itself, first or last or in between.
double itself(const double *x, int n) {
  double *a = copy(x), sum = 0;
  for (int k = 0; k < M; k++) {
    for (int j = k; j < M * M; j++)
      a[j] += 0.1 * a[k] * x[j];
    for (int j = 0; j <= k; j++)
      a[j] = sin(a[j]) * a[k];
    for (int j = k > 1 ? k - 2 : 0; j < k + 3; j++)
      a[j] = 0.1 * cos(a[k]) + a[j];
  }
  for (int i = 0; i < M * M; i++)
    sum += a[i] * (i + 1);
  free(a);
  return sum;
}

#define TEST(F) CHECK_FUNCTION(F, M *M, x, t, M *M)

int main(void) {
  double x[M * M], t[M * M];
  fill(x, M * M, 41, -1, 1);
  fill(t, M * M, 42, -1, 1);
  TEST(lu);
  TEST(ul);
  TEST(pivots);
  TEST(pairs);
  TEST(itself);
  return finish();
}
