// Beside its minimum the values of a sum of squares are mostly rounding: where both modes and the
// differences agree, nothing is undecided.
// RUN: %clang -O2 -g -mllvm -isozyme-check %s -o %t -lm && %t 2>&1 | FileCheck %s
// CHECK-NOT: undecided
// CHECK: 8 calls checked, 0 wrong{{$}}
#include <isozyme/isozyme.h>
#include <math.h>
void __enzyme_autodiff(void *, ...);
double misfit(const double *p, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double e = p[0] * exp(-p[1] * i * 0.1) - y[i];
    sum += e * e;
  }
  return sum;
}
int main(void) {
  double p[2] = {2, 0.5}, y[20], dp[2];
  for (int i = 0; i < 20; i++)
    y[i] = p[0] * exp(-p[1] * i * 0.1);
  for (int k = 1; k <= 8; k++) {
    p[0] = 2 + pow(10, -k);
    dp[0] = dp[1] = 0;
    __enzyme_autodiff((void *)misfit, enzyme_dup, p, dp, enzyme_const, y, enzyme_const, 20);
  }
}
