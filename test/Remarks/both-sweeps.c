// A loop that could run in the reverse sweep only, where little would be kept, runs in both.
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme -Rpass-analysis=isozyme 2>&1 | FileCheck %s
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass-analysis=isozyme -mllvm -isozyme-fuse=false 2>&1 | FileCheck %s --check-prefix=ASKED
// CHECK: both-sweeps.c:[[#@LINE+10]]:3: remark: this loop could run in the reverse sweep only; to keep what it needs costs less: [[#]] of the [[#]] operations of an iteration
// CHECK-NOT: this loop runs
// ASKED-NOT: this loop
// ASKED: reverse of 'sum'
#include <math.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double sum(const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double inner = 0;
    for (int k = 0; k < 64; k++)
      inner += x[64 * i + k] * w[k];
    s += exp(inner);
  }
  return s;
}
void gradient(const double *x, double *dx, const double *w, int n) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, n);
}
