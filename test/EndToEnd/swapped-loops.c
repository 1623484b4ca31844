// Products of matrices whose inner loop goes down columns: its reverse changes places with that of
// the loop around it. Loops that look like them, but may not.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { Most = 7, Cells = Most * Most };

static double weighted(const double *c, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += (1 + 0.1 * i) * c[i] * c[i];
  return sum;
}

// Any two matrices, of which the second may be the first.
__attribute__((noinline)) static void product(const double *restrict a, const double *restrict b,
                                              double *restrict c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
static double twoMatrices(const double *x, int n) {
  double c[Cells + 1];
  product(x, x + Cells, c, n);
  return weighted(c, n * n);
}
static double square(const double *x, int n) {
  double c[Cells + 1];
  product(x, x, c, n);
  return weighted(c, n * n);
}

// Without restrict, and in memory that overlaps: each product sees what the one before has written.
__attribute__((noinline)) static void anyProduct(const double *a, const double *b, double *c,
                                                 int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = 0.1 * s;
    }
}
static double overlapping(const double *x, int n) {
  double c[2 * Cells + 1];
  for (int i = 0; i < 2 * Cells; i++)
    c[i] = x[i];
  anyProduct(c, c + Cells, c, n);
  anyProduct(c, c + 1, c + Cells, n);
  return weighted(c, 2 * Cells);
}

// A rectangle, a sum that is subtracted from, a factor, a step of two, downwards.
static double others(const double *x, int n) {
  double c[Cells + 1] = {0}, d[Cells + 1] = {0};
  int columns = n > 2 ? n - 2 : 0;
  for (int i = 0; i < n; i++)
    for (int j = columns - 1; j >= 0; j--) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s -= sin(x[i * n + k]) * x[Cells + k * columns + j];
      c[i * columns + j] = 2 * s + i;
    }
  for (int j = 0; j < columns; j++) {
    double s = 1;
    for (int k = 0; k < n; k += 2)
      s += x[k] * c[k * columns + j];
    d[j] = sin(s) * s;
  }
  return weighted(c, n * columns) + weighted(d, columns);
}

// A triangle; a sum that begins with what is in memory; a product in place of a sum.
static double refused(const double *x, int n) {
  double c[Cells + 1] = {0};
  for (int j = 0; j < n; j++) {
    double s = x[j];
    for (int k = 0; k < j; k++)
      s += x[k] * x[Cells + k * n + j];
    c[j] = s;
  }
  for (int j = 0; j < n; j++) {
    double s = c[j];
    for (int k = 0; k < n; k++)
      s += x[k] * x[Cells + k * n + j];
    c[j] = s;
  }
  for (int j = 0; j < n; j++) {
    double s = 1;
    for (int k = 0; k < n; k++)
      s = s * x[k] * 0.9 + x[Cells + k * n + j];
    c[n + j] = s;
  }
  return weighted(c, n ? 2 * n : 0);
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double shadow[2 * Cells];                                                                      \
    for (int i = 0; i < 2 * Cells; i++)                                                            \
      shadow[i] = 0.25;                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, shadow, enzyme_const, n);                          \
    for (int i = 0; i < 2 * Cells; i++)                                                            \
      CHECK_AT(#F, i, shadow[i] - 0.25, SLOPE_WITHIN(1e-3, x[i], F(x, n)));                        \
  } while (0)

// The result's shadow is zero afterwards, in both of two directions.
static void cleared(double *x, int n) {
  double c[Cells] = {0}, in[2][2 * Cells] = {{0}}, out[2][Cells + 1] = {{0}};
  for (int i = 0; i < n * n; i++) {
    out[0][i] = 1;
    out[1][i] = i;
  }
  out[0][n * n] = out[1][n * n] = 3;
  __enzyme_autodiff((void *)product, enzyme_width, 2, enzyme_dup, x, in[0], in[1], enzyme_dup,
                    x + Cells, in[0] + Cells, in[1] + Cells, enzyme_dup, c, out[0], out[1],
                    enzyme_const, n);
  for (int lane = 0; lane < 2; lane++) {
    for (int i = 0; i < n * n; i++)
      CHECK_AT("cleared", i, out[lane][i], 0);
    CHECK_AT("behind", lane, out[lane][n * n], 3);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) {
        double expected = 0;
        for (int j = 0; j < n; j++)
          expected += (lane ? i * n + j : 1) * x[Cells + k * n + j];
        CHECK_AT("a", i * n + k, in[lane][i * n + k], expected);
      }
  }
}

int main() {
  double x[2 * Cells];
  for (int i = 0; i < 2 * Cells; i++)
    x[i] = sin(1.7 * i) + 0.2;
  for (int n = 0; n <= Most; n += n < 4 ? 1 : 3) {
    TEST(twoMatrices);
    TEST(square);
    TEST(overlapping);
    TEST(others);
    TEST(refused);
    cleared(x, n);
  }
  return finish();
}
