// A generic vector of void pointers and element sizes: items copied by memcpy, with padding.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include "vector.h"

typedef struct {
  double x, y;
  int id;
} Corner;

/* The area of a polygon whose corners are collected, reversed and thinned out. */
double area(const double *xy, int n) {
  Vector v = vectorOf(sizeof(Corner));
  for (int i = 0; i < n; i++) {
    Corner c = {xy[2 * i] * xy[2 * i + 1], xy[2 * i + 1] - 0.1 * i, i};
    vectorPush(&v, &c);
  }
  vectorReverse(&v);
  for (size_t i = 0; i < v.count; i++)
    if (((Corner *)vectorAt(&v, i))->id % 3 == 1)
      vectorRemove(&v, i--);
  double sum = 0;
  for (size_t i = 0; i < v.count; i++) {
    const Corner *a = vectorAt(&v, i), *b = vectorAt(&v, (i + 1) % v.count);
    sum += a->x * b->y - a->y * b->x;
  }
  free(v.data);
  return sum / 2;
}
enum { N = 9 };

int main(void) {
  double x[2 * N], t[2 * N], d[2 * N] = {0};
  fill(x, 2 * N, 3, -1, 1);
  fill(t, 2 * N, 4, -1, 1);
  __enzyme_autodiff((void *)area, x, d, N);
  CHECK_SLOPES("area", 2 * N, x, d, area(x, N));
  CHECK_FORWARD("area", __enzyme_fwddiff((void *)area, x, t, N), 2 * N, t, d);
  return finish();
}
