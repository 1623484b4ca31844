// A value that has to be kept since its memory is overwritten: the remark says in which line.
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass-missed=isozyme 2>&1 | FileCheck %s

void __enzyme_autodiff(void *, ...);

void square(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i];
}
// CHECK: remark: 'x[i]' is kept for the reverse sweep: 8 bytes * iterations of the loop in line [[@LINE-3]]; may be overwritten in line [[@LINE-2]]

void call(double *x, double *dx, int n) { __enzyme_autodiff((void *)square, x, dx, n); }
