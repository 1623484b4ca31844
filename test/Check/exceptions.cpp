// A function that catches an exception on its way is not checked, and that is said.
// RUN: %clangxx -O1 -g -mllvm -isozyme-check %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
#include <cmath>
#include <cstdio>
double __enzyme_autodiff(void *, ...);

static double __attribute__((noinline)) root(double x) {
  if (x < 0)
    throw x;
  return std::sqrt(x);
}
static double guarded(double x) {
  try {
    return root(x);
  } catch (double) {
    return x * x;
  }
}
// CHECK: exceptions.cpp:[[@LINE+2]]:{{[0-9]+}}: isozyme check: not checked: an exception may be caught in it,
// CHECK: -6
int main() { printf("%g\n", __enzyme_autodiff((void *)guarded, -3.0)); }
