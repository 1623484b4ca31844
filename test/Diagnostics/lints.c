// Calls that are legal and hardly meant, at every level; and how to have no warnings.
// RUN: %clang -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -c -mllvm -isozyme-no-warn=IZ304,IZ305,IZ306,IZ307 %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// RUN: %clang -O2 -c -mllvm -isozyme-no-warn=IZ304,IZ305 %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SOME
// NONE-NOT: warning
// SOME-NOT: IZ30{{[45]}}
// SOME: IZ30{{[67]}}
// SOME-NOT: IZ30{{[45]}}
#include <isozyme/isozyme.h>
#include <stdlib.h>

double square(double x) { return x * x; }
double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_value(void *, ...);
double __enzyme_fwddiff(void *, ...);

// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: the shadow of argument 1 {{.*}}of 'norm' is the memory of the argument itself{{.*}}[IZ304]
void shadowIsPrimal(double *x) { __enzyme_autodiff((void *)norm, enzyme_dup, x, x, 3); }
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: the call returns the gradient, and nothing uses it{{.*}}[IZ305]
void ignored(double x) { __enzyme_autodiff((void *)square, x); }
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: all derivatives that the call starts from are zero{{.*}}[IZ306]
double zero(double x) { return __enzyme_fwddiff((void *)square, x, 0.0); }
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: nothing is written to the shadow of argument 1 {{.*}}of 'norm' before the call{{.*}}[IZ307]
double uninitialized(double *x) {
  double dx[3];
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, 3);
  return dx[0];
}

// No warnings about these:
// CHECK-NOT: lints.c:{{3[5-9]|4[0-9]}}:
double right0(double *x) {
  double dx[3] = {0};
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, 3);
  double *dy = calloc(3, sizeof *dy);
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dy, 3);
  double result = dx[0] + dy[0] + __enzyme_autodiff_value((void *)square, x[0]);
  free(dy);
  return result + __enzyme_fwddiff((void *)square, x[0], 1.0);
}
void right1(double *x) {
  __enzyme_autodiff((void *)norm, enzyme_runtime_activity, enzyme_dup, x, x, 3);
}
