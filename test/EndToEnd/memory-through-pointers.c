// Memory is allocated and released through pointers to functions, as programs do that let
// their users choose.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
void *(*allocate)(size_t) = malloc;
void (*release)(void *) = free;

double squares(double x, int n) {
  double *p = allocate(n * sizeof *p), sum = 0;
  for (int i = 0; i < n; i++)
    p[i] = x * i;
  for (int i = 0; i < n; i++)
    sum += p[i] * p[i];
  release(p);
  return sum;
}

int main(void) {
  double x = 0.7, slope = SLOPE(x, squares(x, 4));
  CHECK("reverse", __enzyme_autodiff((void *)squares, x, 4), slope);
  CHECK("forward", __enzyme_fwddiff((void *)squares, x, 1.0, 4), slope);
  void *tape = __enzyme_augmentfwd((void *)squares, x, 4);
  CHECK("forward in two halves", __enzyme_fwdsplit((void *)squares, x, 1.0, 4, tape), slope);
  return finish();
}
