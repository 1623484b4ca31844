// A generic container that holds plain numbers: only its user knows what is copied.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include "vector.h"

/* Squares are pushed, turned round and thinned out. */
double alternating(const double *x, int n) {
  Vector v = vectorOf(sizeof(double));
  for (int i = 0; i < n; i++) {
    double item = x[i] * x[i];
    vectorPush(&v, &item);
  }
  vectorReverse(&v);
  vectorRemove(&v, 1);
  double sum = 0;
  for (size_t i = 0; i < v.count; i++)
    sum = *(double *)vectorAt(&v, i) - sum * 0.9;
  free(v.data);
  return sum;
}

enum { N = 9 };

int main(void) {
  double x[N], t[N], d[N] = {0};
  fill(x, N, 3, -1, 1);
  fill(t, N, 4, -1, 1);
  __enzyme_autodiff((void *)alternating, x, d, N);
  CHECK_SLOPES("alternating", N, x, d, alternating(x, N));
  CHECK_FORWARD("alternating", __enzyme_fwddiff((void *)alternating, x, t, N), N, t, d);
  return finish();
}
