// modf, frexp and sincos, however the compiler spells them: what they write has the derivative it should.
// RUN: %clang -O0 %s -lm -o %t && %t
// RUN: %clang -O2 %s -lm -o %t && %t
// RUN: %clang -O2 -fno-math-errno %s -lm -o %t && %t
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);

// The whole part does not vary, also where it overwrites something that does.
double parts(double x) {
  double square = x * x, whole = square;
  double rest = modf(square, &whole);
  return whole * rest + square;
}
double mantissa(double x) {
  int exponent;
  double m = frexp(x * x, &exponent);
  return m * exponent;
}
double both(double x) {
  double s, c;
  sincos(x * x, &s, &c);
  return s * s * c;
}

static int Failures;
static void check(const char *Name, double (*F)(double), double X, double Want) {
  double Forward = __enzyme_fwddiff((void *)F, X, 1.0), Reverse = __enzyme_autodiff((void *)F, X);
  if (fabs(Forward - Want) < 1e-12 && fabs(Reverse - Want) < 1e-12)
    return;
  printf("%s: forward %.15g, reverse %.15g, expected %.15g\n", Name, Forward, Reverse, Want);
  Failures++;
}

int main(void) {
  double x = 1.7, s = sin(x * x), c = cos(x * x);
  check("modf", parts, x, 2 * 2 * x + 2 * x);
  check("modf below zero", parts, -x, -2 * 2 * x - 2 * x);
  check("frexp", mantissa, x, 2 * x / 4 * 2);
  check("sincos", both, x, (2 * s * c * c - s * s * s) * 2 * x);
  return Failures;
}
