// A tape that grows to millions of records: the chunks are found again, in reverse order.
// RUN: %clang -O2 %s -o %t -lm && %t
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

/// How often the loop runs is known only when it is over.
static double settle(double x) {
  double y = x;
  while (y > 1e-7)
    y = y / (1 + y); // 1/y grows by one in each step
  return y;
}

int main(void) {
  double x = 0.7, y = settle(x), slope = __enzyme_autodiff((void *)settle, x);
  double expected = (y / x) * (y / x); // 1/y = 1/x + n
  printf("%.0f iterations, slope %.15g, expected %.15g\n", 1 / y - 1 / x, slope, expected);
  return fabs(slope - expected) > 1e-6 * expected;
}
