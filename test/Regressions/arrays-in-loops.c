// Arrays of variable length in a loop of many iterations: the stack lasts.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --flag=-I%S/../EndToEnd %s
#include "check.h"

double many(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n * 40000; i++) {
    double v[n * 2];
    v[0] = x[i % n];
    v[n] = s;
    for (int k = 0; k < n; k++)
      v[n + k] += v[0];
    s = v[0] * .5 + v[n] * .25;
    if (i == n * 40000 - 2)
      break;
  }
  return s;
}

/* Given back in several places, of an inner loop and of a function that is inlined. */
static inline double early(double *x, int n, int k, double s) {
  double v[n];
  if (k % 3 == 0)
    return x[0] * s * .5;
  for (int i = 0; i < n; i++)
    v[i] = x[i] * s;
  if (k % 5 == 0)
    return v[1];
  return v[n - 1] * .5 + v[0] * v[1];
}
double nested(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n * 10; i++) {
    double v[n];
    for (int k = 0; k < n; k++)
      v[k] = x[k] * s;
    for (int j = 0; j < 20; j++) {
      double w[n + j];
      w[n + j - 1] = v[j % n] * s;
      if (j == 8 && i % 7 == 1)
        continue;
      if (j == 15 && i % 5 == 2)
        break;
      v[(j + 1) % n] += w[n + j - 1] * .1;
      s = s * .3 + w[n + j - 1] * .1;
    }
    s += v[0] * .01 + early(x, n, i, s) * .5;
  }
  return s;
}

int main(void) {
  enum { N = 5 };
  double x[N] = {.4, .7, -.3, .8, .9}, v[N] = {1, -.5, .3, .2, .7}, d[N] = {0}, slope = 0;
  for (int i = 0; i < N; i++)
    slope += v[i] * SLOPE(x[i], many(x, N));
  CHECK("many forward", __enzyme_fwddiff((void *)many, enzyme_dup, x, v, N), slope);
  __enzyme_autodiff((void *)many, enzyme_dup, x, d, N);
  CHECK_SLOPES("many", N, x, d, many(x, N));
  slope = 0;
  for (int i = 0; i < N; i++)
    slope += v[i] * SLOPE(x[i], nested(x, N));
  CHECK("nested forward", __enzyme_fwddiff((void *)nested, enzyme_dup, x, v, N), slope);
  memset(d, 0, sizeof d);
  __enzyme_autodiff((void *)nested, enzyme_dup, x, d, N);
  CHECK_SLOPES("nested", N, x, d, nested(x, N));
  return finish();
}
