// Second derivatives where the first one of an operand is zero, as at the solution of a least-squares
// problem: a derivative of zero is kept zero there, which is not to be differentiated.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

/* f = r^2 / 2 and r = 0: the second derivative is r'^2. */
static double root(double x) { double r = sqrt(x) - 2; return r * r / 2; }
static double logarithm(double x) { double r = log(x) - log(4.0); return r * r / 2; }
static double quotient(double x) { double r = 1 / x - 0.25; return r * r / 2; }
static double power(double x) { double r = pow(x, 1.5) - 8; return r * r / 2; }
static double arc(double x) { double r = acos(x / 8) - acos(0.5); return r * r / 2; }
/* Here a branch that does not matter takes the root of zero. */
static double useless(double x) {
  double nothing = sqrt(x - 4);
  return root(x) + (x > 10 ? nothing : 0);
}

#define BOTH(F)                                                                                      \
  static double F##Reverse(double x) { return __enzyme_autodiff((void *)F, x); }                     \
  static double F##Forward(double x) { return __enzyme_fwddiff((void *)F, x, 1.0); }                 \
  static void F##Test(double x, double expected) {                                                   \
    CHECK(#F ", forward over reverse", __enzyme_fwddiff((void *)F##Reverse, x, 1.0), expected);      \
    CHECK(#F ", reverse over reverse", __enzyme_autodiff((void *)F##Reverse, x), expected);          \
    CHECK(#F ", reverse over forward", __enzyme_autodiff((void *)F##Forward, x), expected);          \
    CHECK(#F ", forward over forward", __enzyme_fwddiff((void *)F##Forward, x, 1.0), expected);      \
  }
BOTH(root)
BOTH(logarithm)
BOTH(quotient)
BOTH(power)
BOTH(arc)
BOTH(useless)

int main(void) {
  rootTest(4, 1.0 / 16);
  logarithmTest(4, 1.0 / 16);
  quotientTest(4, 1.0 / 256);
  powerTest(4, 9);
  arcTest(4, 1.0 / 48);
  uselessTest(4, 1.0 / 16);
  return finish();
}
