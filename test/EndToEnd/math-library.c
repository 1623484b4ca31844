// Functions of <math.h> that are more than one formula: several results, integers, remainders,
// neighbours, decomposition; GNU names.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#define _GNU_SOURCE
#include "check.h"

double sinesAndCosines(double x) {
  double s, c;
  sincos(x, &s, &c);
  return s * c * c;
}
double remainders(double x) {
  int q;
  return remquo(x * x, 0.7, &q) * x + remainder(x, 0.3) * drem(x, 0.4) + fmod(x * x, 0.3) + q * x;
}
double gammas(double x) {
  int sign;
  double l = lgamma_r(x - 2, &sign);
  return l * tgamma(x) + lgamma(x * x) + sign * x;
}
double decompositions(double x) {
  int e;
  double whole, m = frexp(x, &e), fraction = modf(x * 3, &whole);
  return m * e + fraction * whole + ldexp(x, 3) + scalbn(x, -2) + scalbln(x, 2L) +
         significand(x * x) * x;
}
double neighbours(double x) {
  return nextafter(x * x, 9) + nexttoward(x, 9.0L) * x + logb(x) * x + fdim(x, 0.2) * x;
}
double roundings(double x) {
  return rint(x * 4) * x + nearbyint(x * 3) * x + trunc(x * 5) * x + round(x * 7) * x +
         (double)lround(x * 9) * x + ilogb(x) * x + floor(x * 11) * x + ceil(x * 13) * x;
}
double choices(double x) {
  return fmin(x, x * x) * fmax(x, 0.1) + copysign(x, -x) + fabs(x - 1) * x;
}
double bessel(double x) { return j0(x) * j1(x) + jn(3, x) + y0(x) * y1(x) + yn(2, x); }
double errors(double x) { return erf(x) * erfc(x) + expm1(x) * log1p(x) + cbrt(x) + exp10(x); }
float singles(float x) {
  float s, c;
  int e, sign;
  sincosf(x, &s, &c);
  return s * c + frexpf(x * x, &e) * e + lgammaf_r(x, &sign) + exp10f(x) + erff(x) +
         remainderf(x, 0.3f) + nextafterf(x, 9) + significandf(x);
}
long double extended(long double x) {
  long double s, c, whole;
  int e, sign;
  sincosl(x, &s, &c);
  return s * c + frexpl(x * x, &e) * e + lgammal_r(x, &sign) + exp10l(x) + erfl(x) +
         remainderl(x, 0.3L) + nextafterl(x, 9) + modfl(x * 2, &whole) * whole + nexttowardl(x, 9);
}
long double __enzyme_autodiff_extended(void *, long double);
float __enzyme_autodiff_single(void *, float);

#define CHECK_BOTH(F, X)                                                                           \
  do {                                                                                             \
    double x = X, expected = SLOPE_WITHIN(1e-4, x, F(x));                                          \
    CHECK(#F, __enzyme_autodiff((void *)F, x), expected);                                          \
    CHECK(#F " forward", __enzyme_fwddiff((void *)F, x, 2.0), 2 * expected);                       \
  } while (0)

int main(void) {
  for (int i = 0; i < 2; i++) {
    const double at = i ? 1.3 : 0.71;
    CHECK_BOTH(sinesAndCosines, at);
    CHECK_BOTH(remainders, at);
    CHECK_BOTH(gammas, at);
    CHECK_BOTH(decompositions, at);
    CHECK_BOTH(neighbours, at);
    CHECK_BOTH(roundings, at);
    CHECK_BOTH(choices, at);
    CHECK_BOTH(bessel, at);
    CHECK_BOTH(errors, at);
  }
  long double l = 0.71L;
  const double step = 1e-6;
  CHECK("extended", (double)__enzyme_autodiff_extended((void *)extended, l),
        (double)((extended(l + step) - extended(l - step)) / (2 * step)));
  float f = 0.8f, h = 1.0f / 256;
  checkWithin("singles", -1, __enzyme_autodiff_single((void *)singles, f),
              (singles(f + h) - singles(f - h)) / (2 * h), 1e-3, 1e-5);
  return finish();
}
