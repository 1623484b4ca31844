// Legal calls that are probably mistakes, at every level; and how to have no warnings.
// RUN: %clang -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -c -mllvm -isozyme-no-warn=IZ304,IZ305,IZ306,IZ307,IZ309 %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
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
// A shadow that is no memory for derivatives, or for fewer.
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: the shadow of argument 1 {{.*}}of 'norm' is a null pointer; pass memory of the same layout {{.*}}[IZ309]
void nullShadow(double *x) { __enzyme_autodiff((void *)norm, enzyme_dup, x, (void *)0, 3); }
static const double zeros[3] = {0};
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: the shadow of argument 1 {{.*}}of 'norm' is the constant 'zeros', which cannot be written; {{.*}}[IZ309]
void constantShadow(double *x) { __enzyme_autodiff((void *)norm, enzyme_dup, x, zeros, 3); }
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: the shadow of argument 1 {{.*}}of 'norm' has 12 bytes, and the argument itself 24; {{.*}}[IZ309]
double smallShadow(void) {
  double x[3] = {1, 2, 3};
  float dx[3] = {0};
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, 3);
  return dx[0];
}
int rounded(double x) { return (int)x; }
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: all gradients are zero: the result of 'rounded' has no derivative, and no argument has a shadow; {{.*}}[IZ306]
double noResult(double x) { return __enzyme_autodiff_value((void *)rounded, x); }
// CHECK-NOT: lints.c:{{6[89]|7[0-5]}}:
double right2(double *x) {
  __enzyme_autodiff((void *)norm, enzyme_dup, (void *)0, (void *)0, 0); /* Nothing has no shadow. */
  struct { double dx[2], rest; } s = {{0}};
  double y[2] = {1, 2};
  __enzyme_autodiff((void *)norm, enzyme_dup, y, s.dx, 2);
  return s.dx[0];
}
// Without optimisation, a variable holds the address of fresh memory.
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: nothing is written to the shadow of argument 1 {{.*}}of 'norm' before the call{{.*}}[IZ307]
double unclearedMemory(double *x) {
  double *dx = malloc(3 * sizeof *dx);
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, 3);
  double first = dx[0];
  free(dx);
  return first;
}
// CHECK-NOT: lints.c:{{8[5-9]|9[0-9]}}:
double clearedMemory(double *x) {
  double *dx = malloc(3 * sizeof *dx);
  for (int i = 0; i < 3; i++)
    dx[i] = 0;
  __enzyme_autodiff((void *)norm, enzyme_dup, x, dx, 3);
  double first = dx[0];
  free(dx);
  return first;
}
// A struct counts up to its last number, and a mistake is told once.
struct rates {
  double decay;
  int count;
  double boost[2];
  int id;
};
double yield(struct rates *r) { return r->decay * r->boost[0] * r->boost[1]; }
// CHECK-DAG: lints.c:[[@LINE+1]]:{{[0-9]+}}: warning: the shadow of argument 1 {{.*}}of 'yield' has 24 bytes, and the numbers of the argument reach to 32; {{.*}}[IZ309]
double smallForStruct(void) {
  struct rates r = {1, 2, {3, 4}, 5};
  double dr[3] = {0};
  __enzyme_autodiff((void *)yield, enzyme_dup, &r, dr);
  return dr[0];
}
double enoughForStruct(void) {
  struct rates r = {1, 2, {3, 4}, 5};
  double dr[4] = {0};
  __enzyme_autodiff((void *)yield, enzyme_dup, &r, dr);
  return dr[0];
}
