// A struct that the function takes in registers, and that a call with many arguments passes in memory.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef struct {
  double a;
  int n;
} Prior;
void __enzyme_autodiff_nothing(void *, ...);

double f(const double *x0, const double *x1, const double *x2, const double *x3, const double *x4,
         Prior p) {
  return x0[0] * x1[0] * p.a * p.n + x4[0];
}

int main(void) {
  double x = 2, y = 3, z = 4, dx = 0, dz = 0;
  Prior p = {5, 6};
  __enzyme_autodiff_nothing((void *)f, enzyme_dup, &x, &dx, enzyme_const, &y, enzyme_const, &y,
                            enzyme_const, &y, enzyme_dup, &z, &dz, enzyme_const, p);
  CHECK("dx", dx, 90);
  CHECK("dz", dz, 1);
  return finish();
}
