// The bits of a float that a multiplication scrambles are an error, never a derivative of zero.
// RUN: not %clang -O2 -g -c %s -o %t.o 2>&1 | FileCheck %s
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double scrambled(double x) {
  long bits;
  memcpy(&bits, &x, 8);
  // CHECK: float-bits-multiplied.c:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}} [IZ202]
  // CHECK: float-bits-multiplied.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}} [IZ202]
  bits = bits * 6364136223846793005 + 1442695040888963407;
  memcpy(&x, &bits, 8);
  return x;
}
double reverse(double x) { return __enzyme_autodiff((void *)scrambled, x); }
double forward(double x) { return __enzyme_fwddiff((void *)scrambled, x, 1.0); }
// CHECK: 2 errors generated.
