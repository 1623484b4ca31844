// Functions with a version for each processor: calls of them inside of a derivative.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

#define VERSIONS __attribute__((target_clones("avx2", "sse4.2", "default")))

VERSIONS double squares(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}
VERSIONS void scale(double *x, int n, double by) {
  for (int i = 0; i < n; i++)
    x[i] *= by;
}
double versions(const double *x, int n) {
  double y[5];
  for (int i = 0; i < n; i++)
    y[i] = sin(x[i]);
  scale(y, n, x[0]);
  return squares(y, n) * squares(x, n);
}

int main() {
  double x[5], t[5];
  fill(x, 5, 95, -1, 1);
  fill(t, 5, 96, -1, 1);
  CHECK_FUNCTION(versions, 5, x, t, 5);
  return finish();
}
