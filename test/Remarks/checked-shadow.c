// A pointer to memory with or without a shadow costs a comparison: a remark in both modes.
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass-missed=isozyme 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double pick(double *a, double *b, int c) {
  double *p = c ? a : b;
  return p[0] * p[1];
}
// CHECK-COUNT-2: checked-shadow.c:[[@LINE-3]]:{{[0-9]+}}: remark: 'p' may lead to memory without a shadow: each access through it compares the address with that of the shadow

void reverse(double *a, double *da, double *b, int c) {
  __enzyme_autodiff((void *)pick, enzyme_dup, a, da, enzyme_const, b, c);
}
double forward(double *a, double *da, double *b, int c) {
  return __enzyme_fwddiff((void *)pick, enzyme_dup, a, da, enzyme_const, b, c);
}
