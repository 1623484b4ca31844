// A line is active if the derivative does something there: forward mode moves the shadow of an address that is
// computed in an integer, reverse mode does nothing for it. Integers in shadow memory are no derivatives.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
#include <stdint.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct Sum { int count; double value; };

double first(double *x, struct Sum *sum, int n) {
  uintptr_t place = ((uintptr_t)x + 63) & ~(uintptr_t)63;
  double *aligned = (double *)place;
  sum->count = n;
  sum->value = aligned[0] * aligned[0];
  return sum->value;
}

double tangent(double *x, double *dx, struct Sum *s, struct Sum *ds, int n) {
  return __enzyme_fwddiff((void *)first, x, dx, s, ds, n);
}
void gradient(double *x, double *dx, struct Sum *s, struct Sum *ds, int n) {
  __enzyme_autodiff((void *)first, x, dx, s, ds, n);
}

// CHECK: {{^}}forward of 'first'
// CHECK: 11 a |   uintptr_t place
// CHECK: 13 . |   sum->count
// CHECK: 14 a |   sum->value
// CHECK: {{^}}reverse of 'first'
// CHECK: 11 . |   uintptr_t place
// CHECK: 13 . |   sum->count
// CHECK: 14 {{[aK]}} |   sum->value
