// Data that meets memory marked enzyme_const: an error where no shadow can be made, a warning where the derivative ends.
// RUN: not %clang -O1 -g -c %s -o %t.o 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>

void __enzyme_autodiff(void *, ...);

// CHECK-DAG: shadows.c:[[@LINE+1]]:{{[0-9]+}}: error: a pointer made from an integer leads to differentiated data; {{.*}} [IZ204]
double device(double x, int slot) { volatile double *p = (double *)(0x4000L + slot * 8L); *p = x; return *p * x; }
void d204(double x, int slot) { __enzyme_autodiff((void *)device, enzyme_out, x, enzyme_const, slot); }

double through(const double *x, double *work, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    // CHECK-DAG: shadows.c:[[@LINE+1]]:{{[0-9]+}}: warning: a differentiated value is stored in {{.*}}'work'{{.*}} [IZ301]
    work[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    sum += work[n - 1 - i] * x[i];
  return sum;
}
void d301(double *x, double *dx, double *work, int n) {
  __enzyme_autodiff((void *)through, enzyme_dup, x, dx, enzyme_const, work, enzyme_const, n);
}
