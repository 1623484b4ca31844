// A sum that only derivatives are computed from: a remark.
// RUN: %clang -O2 -g -c %s -o /dev/null -Rpass=isozyme 2>&1 | FileCheck %s
// RUN: %clang -O2 -g -c %s -o /dev/null -Rpass=isozyme -mllvm -isozyme-adjoint-order=source 2>&1 | FileCheck %s --check-prefix=SOURCE --allow-empty
// CHECK: unseen-sums.c:[[#@LINE+9]]:9: remark: this sum is added up in any order: only derivatives are computed from it
// SOURCE-NOT: this sum
#include <math.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static double product(const double *w, const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i];
  return tanh(sum);
}
void gradient(const double *w, double *dw, const double *x, int n) {
  __enzyme_autodiff((void *)product, enzyme_dup, w, dw, enzyme_const, x, enzyme_const, n);
}
