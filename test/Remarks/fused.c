// A loop that runs in the reverse sweep only is told of; nothing is kept for its iterations.
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme -Rpass-analysis=isozyme 2>&1 | FileCheck %s
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme -mllvm -isozyme-fuse=false 2>&1 | FileCheck %s --check-prefix=ASKED --allow-empty
// CHECK: fused.c:[[#@LINE+9]]:3: remark: this loop runs in the reverse sweep only, each iteration before its adjoint: they are independent but for sums
// CHECK: reverse of 'sum': 1 value kept (8 bytes)
// ASKED-NOT: this loop
#include <math.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += exp(x[i]);
  return s;
}
void gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, n);
}
