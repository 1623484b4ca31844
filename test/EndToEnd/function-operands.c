// A function that only the call of a derivative hands over, as an argument of what is differentiated.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#define FAR __attribute__((noinline))
typedef double (*unary)(double);
typedef double (*measure)(const double *, int);

static double square(double x) { return x * x; }
static double wave(double x) { return sin(x) * exp(x / 3); }
static double lengthOf(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

double apply(unary g, double x) { return g(x) * x; }
FAR double twice(unary g, double x) { return apply(g, g(x)); }
FAR double measured(measure g, const double *x, int n) { return log(1 + g(x, n)); }
FAR double tangent(unary g, double x) {
  return __enzyme_fwddiff((void *)apply, enzyme_const, g, enzyme_dup, x, 1.0);
}

int main(void) {
  double x = 0.7, t = 1.0;
  CHECK("static function", __enzyme_autodiff((void *)apply, enzyme_const, square, x), 3 * x * x);
  CHECK("library function", __enzyme_autodiff((void *)apply, enzyme_const, tan, x),
        x / (cos(x) * cos(x)) + tan(x));
  double d = __enzyme_autodiff((void *)twice, enzyme_const, wave, x);
  CHECK_SLOPES("called on", 1, &x, &d, twice(wave, x));
  CHECK("forward", __enzyme_fwddiff((void *)twice, enzyme_const, wave, enzyme_dup, x, t), d);

  double v[4], dv[4] = {0};
  fill(v, 4, 3, 0.2, 1.2);
  __enzyme_autodiff((void *)measured, enzyme_const, lengthOf, enzyme_dup, v, dv, enzyme_const, 4);
  CHECK_SLOPES("array", 4, v, dv, measured(lengthOf, v, 4));

  // The derivative of a derivative.
  CHECK("second", __enzyme_autodiff((void *)tangent, enzyme_const, square, x), 6 * x);
  return finish();
}
