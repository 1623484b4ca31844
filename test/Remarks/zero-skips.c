// What is left out of the reverse sweep where nothing comes into it is told of.
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme -mllvm -isozyme-chosen=false 2>&1 | FileCheck %s
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme -mllvm -isozyme-skip-zeros=false 2>&1 | FileCheck %s --check-prefix=ASKED --allow-empty
// CHECK: zero-skips.c:[[#@LINE+12]]:5: remark: this loop is left out of the reverse sweep where the derivatives that come into it are zero: {{[0-9]+}} operations
// CHECK: zero-skips.c:[[#@LINE+23]]:{{[0-9]+}}: remark: this part of an iteration is left out of the reverse sweep where
// ASKED-NOT: left out
#include <math.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double nearest(const double *x, int count, int n) {
  double least = 1e300;
  // CHOSEN: zero-skips.c:[[#@LINE+1]]:3: remark: of this loop one iteration is reversed: the one in which
  for (int c = 0; c < count; c++) {
    double square = 0;
    for (int i = 0; i < n; i++)
      square += x[c * n + i] * x[c * n + i];
    if (square < least)
      least = square;
  }
  return least;
}
static double front(const double *x, int count) {
  double least = 1e300;
  // CHOSEN: zero-skips.c:[[#@LINE+1]]:3: remark: of this loop one iteration is reversed: the one in which
  for (int c = 0; c < count; c++) {
    if (x[c] > 0) {
      double far = sqrt(x[c]) / (1 + x[c] * x[c]) / (2 + x[c]);
      if (far < least)
        least = far;
    }
  }
  return least;
}
void gradients(const double *x, double *dx, int count, int n) {
  __enzyme_autodiff((void *)nearest, enzyme_dup, x, dx, enzyme_const, count, enzyme_const, n);
  __enzyme_autodiff((void *)front, enzyme_dup, x, dx, enzyme_const, count);
}
