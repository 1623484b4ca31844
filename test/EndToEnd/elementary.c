// Functions of the mathematical library, one at a time, through one function with a switch.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double apply(int which, double x, double y) {
  int exponent;
  double whole;
  switch (which) {
  case 0:
    return sqrt(x) + cbrt(x) + hypot(x, y);
  case 1:
    return pow(x, y) + pow(x, 3) + __builtin_powi(x, -3);
  case 2:
    return exp(x) + exp2(y) + expm1(x * y);
  case 3:
    return log(x) + log2(y) + log10(x) + log1p(x * y);
  case 4:
    return sin(x) * cos(y) + tan(x);
  case 5:
    return asin(x / 3) + acos(y / 3) + atan(x) + atan2(y, x) + atan2(-x, -y);
  case 6:
    return sinh(x) + cosh(y) + tanh(x * y);
  case 7:
    return asinh(x) + acosh(1 + y) + atanh(x / 4);
  case 8:
    return erf(x) + erfc(y) + tgamma(x) + lgamma(y);
  case 9:
    return fabs(x - 5) + fmin(x, y) * fmax(x, y) + fdim(x, y) + copysign(x, -y);
  case 10:
    return fmod(7 * x, y) + remainder(7 * x, y);
  case 11:
    return floor(x) * y + ceil(y) * x + trunc(5 * x) + round(x) * x;
  case 12:
    return ldexp(x, 3) + scalbn(y, -2) + frexp(x, &exponent) + exponent * y;
  case 13:
    return modf(3.3 * x, &whole) * y + whole * x;
  case 14:
    return fma(x, y, x * x) + x / y - -x;
  case 15:
    return j0(x) + j1(y) + jn(3, x) + y0(x) + y1(y) + yn(2, x);
  default:
    return x;
  }
}

typedef struct {
  double x, y;
} Pair;
Pair __enzyme_autodiff_pair(void *, ...);

int main(void) {
  double points[][2] = {{1.33, 0.7}, {0.63, 1.9}, {2.1, 2.4}};
  for (int p = 0; p < 3; p++)
    for (int which = 0; which <= 16; which++) {
      double x = points[p][0], y = points[p][1];
      Pair g = __enzyme_autodiff_pair((void *)apply, which, x, y);
      CHECK_AT("dx", 100 * p + which, g.x, SLOPE(x, apply(which, x, y)));
      CHECK_AT("dy", 100 * p + which, g.y, SLOPE(y, apply(which, x, y)));
      CHECK_AT("jvp", 100 * p + which, __enzyme_fwddiff((void *)apply, which, x, 0.5, y, -2.0),
               0.5 * g.x - 2 * g.y);
    }
  return finish();
}
