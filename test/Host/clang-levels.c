// The same values at every level of clang.
// RUN: %clang -O0 %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O1 %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O3 %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -Os -g %s -o %t -lm && %t | FileCheck %s
#include <math.h>
#include <stdio.h>

static double square(double x) { return x * x; }
static double wave(double x) { return square(sin(x)) * exp(x); }
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// CHECK: reverse is finite difference: 1, forward is reverse: 1
int main(void) {
  double x = 0.75, h = 1e-5;
  double finite = (wave(x + h) - wave(x - h)) / (2 * h);
  double r = __enzyme_autodiff((void *)wave, x);
  double f = __enzyme_fwddiff((void *)wave, x, 1.0);
  printf("reverse is finite difference: %d, forward is reverse: %d\n", fabs(r - finite) < 1e-8,
         fabs(f - r) < 1e-12);
}
