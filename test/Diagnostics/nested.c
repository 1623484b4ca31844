// A derivative of a derivative that is not there: one error each, at the function that asks.
// RUN: not %clang -O0 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -c %s -o %t.o 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double power(double x, int order) {
  if (order == 0)
    return x * x * x;
  // CHECK-DAG: nested.c:[[@LINE+1]]:{{[0-9]+}}: error: a derivative of this derivative is asked for, and it is not made: it needs itself, or has an error of its own; mend that error first; {{.*}} [IZ214]
  return __enzyme_autodiff((void *)power, x, order - 1);
}

double tangent(double x, int order) {
  if (order == 0)
    return x * x * x;
  // CHECK-DAG: nested.c:[[@LINE+1]]:{{[0-9]+}}: error: a derivative of this derivative is asked for, {{.*}} [IZ214]
  return __enzyme_fwddiff((void *)tangent, x, 1.0, order - 1);
}

double sensor(double x);
// CHECK-DAG: nested.c:[[@LINE+1]]:{{[0-9]+}}: error: no derivative is known for 'sensor', {{.*}} [IZ201]
double reading(double x) { return sensor(x) * x; }
// CHECK-DAG: nested.c:[[@LINE+1]]:{{[0-9]+}}: error: a derivative of this derivative is asked for, {{.*}} [IZ214]
double first(double x) { return __enzyme_autodiff((void *)reading, x); }
double second(double x) { return __enzyme_autodiff((void *)first, x); }

// The same where nothing but memory connects the two.
void by_memory(const double *x, double *y, int order) {
  double slope = 0, one = 1, value;
  *y = *x * *x;
  if (order == 0)
    return;
  // CHECK-DAG: nested.c:[[@LINE+1]]:{{[0-9]+}}: error: a derivative of this derivative is asked for, {{.*}} [IZ214]
  __enzyme_autodiff((void *)by_memory, enzyme_dup, x, &slope, enzyme_dup, &value, &one, enzyme_const, order - 1);
  *y = slope;
}
