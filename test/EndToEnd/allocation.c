// Memory from malloc and calloc: one buffer, one per trip, rows, freed early, returned by a helper.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double buffer(const double *x, int n) {
  double *y = malloc(n * sizeof *y), sum = 0;
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[(i + 1) % n];
  for (int i = 0; i < n; i++)
    sum += sin(y[i]) * y[n - 1 - i];
  free(y);
  return sum;
}
double perTrip(const double *x, int n) {
  double sum = 0;
  for (int i = 1; i <= n; i++) {
    double *y = calloc(i, sizeof *y);
    for (int j = 0; j < i; j++)
      y[j] += x[j] * x[i - 1] + (j ? y[j - 1] : 0);
    sum += y[i - 1] * y[0];
    free(y);
  }
  return sum;
}
double rows(const double *x, int n) {
  double **m = malloc(n * sizeof *m), sum = 0;
  for (int i = 0; i < n; i++) {
    m[i] = malloc(n * sizeof **m);
    for (int j = 0; j < n; j++)
      m[i][j] = x[i] * exp(x[j]);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += m[i][j] * m[j][i];
  for (int i = 0; i < n; i++)
    free(m[i]);
  free(m);
  return sum;
}
static __attribute__((noinline)) double *doubled(const double *x, int n) {
  double *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i] * x[i];
  return y;
}
double helper(const double *x, int n) {
  double *y = doubled(x, n), *z = doubled(y, n);
  free(y);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += z[i] * x[n - 1 - i];
  free(z);
  return sum;
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double dx[6] = {0};                                                                            \
    __enzyme_autodiff((void *)F, x, dx, 6);                                                        \
    for (int i = 0; i < 6; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE(x[i], F(x, 6)));                                                \
    CHECK(#F " jvp", __enzyme_fwddiff((void *)F, x, t, 6), innerProduct(t, dx, 6));                \
  } while (0)

int main(void) {
  double x[6], t[6];
  fill(x, 6, 21, -1, 1);
  fill(t, 6, 22, -1, 1);
  TEST(buffer);
  TEST(perTrip);
  TEST(rows);
  TEST(helper);
  return finish();
}
