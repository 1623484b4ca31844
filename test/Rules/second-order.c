// Rules are differentiated again: forward over reverse against differences of the first derivative.
// RUN: %clang -O2 %s -lm -o %t && %t
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
static int Failures;

#define SECOND(NAME, VALUE)                                                                        \
  static double NAME(double x) { return VALUE; }                                                   \
  static double NAME##_slope(double x) { return __enzyme_autodiff((void *)NAME, x); }              \
  static double NAME##_bend(double x) { return __enzyme_fwddiff((void *)NAME##_slope, x, 1.0); }   \
  static void NAME##_check(double x) {                                                             \
    double h = 1e-3, got = NAME##_bend(x);                                                         \
    double want = (8 * (NAME##_slope(x + h) - NAME##_slope(x - h)) - NAME##_slope(x + 2 * h) +     \
                   NAME##_slope(x - 2 * h)) / (12 * h);                                            \
    if (fabs(got - want) < 1e-9)                                                                   \
      return;                                                                                      \
    printf(#NAME ": got %.12g, expected %.12g\n", got, want);                                      \
    Failures++;                                                                                    \
  }

SECOND(trigonometric, x *sin(x) + tan(x / 2) + asin(x / 3))
SECOND(powers, pow(x, 2.5) + sqrt(x * x + 1) + cbrt(x) + 1 / (x * x))
SECOND(gammas, lgamma(x) + tgamma(x))
SECOND(planar, hypot(x, 2.0) + atan2(x, 2 * x * x))
SECOND(special, j1(x) + erf(x) + log1p(x) + tanh(x))

int main(void) {
  trigonometric_check(1.3);
  powers_check(1.3);
  gammas_check(1.3);
  planar_check(1.3);
  special_check(1.3);
  return Failures;
}
