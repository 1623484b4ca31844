// A small structure with a float, which the ABI passes as one integer: never silently constant.
// RUN: not %clang -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -c -DCONSTANT %s -o %t.o
#include <isozyme/isozyme.h>

typedef struct {
  int n;
  float x;
} Mixed;
double mixed(Mixed m, double y) { return m.n * m.x * m.x * y; }
double counted(long n, double y) { return n * y; }
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double call(Mixed m, double y) {
#ifdef CONSTANT
  return __enzyme_autodiff((void *)mixed, enzyme_const, m, y) +
         __enzyme_autodiff((void *)counted, 3L, y);
#else
  // CHECK: error: argument 1 of 'mixed' is a structure with a floating-point member that is passed as an integer: its derivative would be lost; pass it by pointer, or mark it with 'enzyme_const' [IZ111]
  return __enzyme_autodiff((void *)mixed, m, y);
#endif
}
// CHECK: [IZ111]
double tangent(Mixed m, double y) {
#ifndef CONSTANT
  return __enzyme_fwddiff((void *)mixed, enzyme_dup, m, m, y, 1.0);
#else
  return 0;
#endif
}
