// Errors have exact places without -g, the object file is what it is without Isozyme, and remarks
// are those that the user asks for.
// RUN: not %preload%isozyme cc -O2 -c -DWRONG %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %preload%isozyme cc -O0 -c -DWRONG %s -o %t.o 2>&1 | FileCheck %s
// RUN: %preload%isozyme cc -O2 -c %s -o %t.o && mv %t.o %t.with
// RUN: %clang_bin -O2 -c %s -o %t.o && cmp %t.o %t.with
// RUN: %preload%isozyme cc -O2 -c -DRIGHT %s -o %t.o -Rpass-analysis=isozyme 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %preload%isozyme cc -O2 -c -DRIGHT %s -o %t.o 2>&1 | count 0
#include <math.h>
double __enzyme_autodiff(void *, ...);
double wave(double x) { return sin(x) * x; }
double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += exp(x[i]) * s;
  return s;
}
#ifdef WRONG
extern int enzyme_dup, enzyme_const;
double both(const double *x, double *dx) {
  double first = __enzyme_autodiff((void *)wave);
  return first +
         __enzyme_autodiff((void *)sum, enzyme_dup, x);
}
// CHECK-DAG: places.c:[[@LINE-4]]:18: error: {{.*}}[IZ104]
// CHECK-DAG: places.c:[[@LINE-3]]:10: error: {{.*}}[IZ103]
#endif
#ifdef RIGHT
extern int enzyme_dup, enzyme_const;
void right(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, n);
}
// REMARK: places.c:{{.*}} remark: reverse of 'sum'
#endif
