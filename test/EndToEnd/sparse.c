// Index arrays that are data: a sparse product, a histogram with repeated targets, a permutation.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { ROWS = 4, COLUMNS = 5, NONZEROS = 8 };
static const int starts[ROWS + 1] = {0, 2, 2, 5, 8};
static const int columns[NONZEROS] = {0, 3, 1, 2, 4, 0, 1, 4};

double product(const double *values, const double *x, const double *w) {
  double sum = 0;
  for (int r = 0; r < ROWS; r++) {
    double row = 0;
    for (int k = starts[r]; k < starts[r + 1]; k++)
      row += values[k] * x[columns[k]];
    sum += w[r] * row * row + cos(row);
  }
  return sum;
}
double histogram(const double *x, const int *bin, int n) {
  double bins[3] = {0, 0, 0};
  for (int i = 0; i < n; i++)
    bins[bin[i]] += x[i] * x[i];
  return bins[0] * bins[1] + exp(bins[2]);
}
double walk(const double *x, int n) {
  int at = 1;
  double p = 1;
  for (int i = 0; i < 2 * n; i++) {
    p = p * x[at] + 0.1 * i;
    at = (at * 3 + 2) % n;
    if (p > 3)
      at ^= 1;
  }
  return p;
}

int main(void) {
  double v[NONZEROS], x[COLUMNS], w[ROWS], dv[NONZEROS] = {0}, dx[COLUMNS] = {0};
  double tv[NONZEROS], tx[COLUMNS];
  fill(v, NONZEROS, 1, -1, 1);
  fill(x, COLUMNS, 2, -1, 1);
  fill(w, ROWS, 3, -1, 1);
  fill(tv, NONZEROS, 4, -1, 1);
  fill(tx, COLUMNS, 5, -1, 1);
  __enzyme_autodiff((void *)product, v, dv, x, dx, enzyme_const, w);
  for (int i = 0; i < NONZEROS; i++)
    CHECK_AT("values", i, dv[i], SLOPE(v[i], product(v, x, w)));
  for (int i = 0; i < COLUMNS; i++)
    CHECK_AT("x", i, dx[i], SLOPE(x[i], product(v, x, w)));
  CHECK("jvp", __enzyme_fwddiff((void *)product, v, tv, x, tx, enzyme_const, w),
        innerProduct(tv, dv, NONZEROS) + innerProduct(tx, dx, COLUMNS));

  int bin[NONZEROS] = {2, 0, 0, 1, 2, 1, 0, 2};
  double dh[NONZEROS] = {0}, dp[6] = {0};
  __enzyme_autodiff((void *)histogram, v, dh, enzyme_const, bin, NONZEROS);
  for (int i = 0; i < NONZEROS; i++)
    CHECK_AT("histogram", i, dh[i], SLOPE(v[i], histogram(v, bin, NONZEROS)));
  CHECK("histogram jvp", __enzyme_fwddiff((void *)histogram, v, tv, enzyme_const, bin, NONZEROS),
        innerProduct(tv, dh, NONZEROS));
  double y[6] = {0.9, 1.2, -0.8, 1.1, 0.4, 1.3};
  __enzyme_autodiff((void *)walk, y, dp, 6);
  for (int i = 0; i < 6; i++)
    CHECK_AT("walk", i, dp[i], SLOPE(y[i], walk(y, 6)));
  return finish();
}
