// Complex numbers: arithmetic as clang emits it, and the functions of <complex.h>, in all three
// types.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <complex.h>

/* A real function of two real numbers, through one complex function; all parts weighted. */
#define UNARY(NAME, TYPE, CALL)                                                                    \
  double NAME(double re, double im) {                                                              \
    TYPE complex z = (TYPE)re + (TYPE)im * (TYPE complex)I;                                        \
    TYPE complex w = CALL(z);                                                                      \
    return (double)(1.25 * __real__ w - 0.75 * __imag__ w);                                        \
  }
#define FAMILY(F)                                                                                  \
  UNARY(f_##F, float, F##f)                                                                        \
  UNARY(d_##F, double, F) UNARY(l_##F, long double, F##l)
FAMILY(csqrt)
FAMILY(cexp)
FAMILY(clog)
FAMILY(csin)
FAMILY(ccos)
FAMILY(ctan)
FAMILY(csinh)
FAMILY(ccosh)
FAMILY(ctanh)
FAMILY(casin)
FAMILY(cacos)
FAMILY(catan)
FAMILY(casinh)
FAMILY(cacosh)
FAMILY(catanh)
FAMILY(cproj)
FAMILY(conj)
FAMILY(cabs)
FAMILY(carg)
FAMILY(creal)
FAMILY(cimag)

static double at(double (*f)(double, double), double re, double im) { return f(re, im); }

#define CHECK_PARTS(NAME, F, REFERENCE, TOLERANCE, ACROSS, RE, IM)                                 \
  do {                                                                                             \
    double re = RE, im = IM;                                                                       \
    const double dre = SLOPE_WITHIN(1e-3, re, at(REFERENCE, re, im));                              \
    const double dim = SLOPE_WITHIN(1e-3, im, at(REFERENCE, re, im));                              \
    struct Parts d = __enzyme_autodiff_parts((void *)F, re, im);                                   \
    checkWithin(NAME " by re", -1, d.re, dre, TOLERANCE, ACROSS);                                  \
    checkWithin(NAME " by im", -1, d.im, dim, TOLERANCE, ACROSS);                                  \
    double t = __enzyme_fwddiff((void *)F, re, 0.5, im, -2.0);                                     \
    checkWithin(NAME " forward", -1, t, 0.5 * dre - 2 * dim, TOLERANCE, ACROSS);                   \
  } while (0)
#define CHECK_FAMILY(F, RE, IM)                                                                    \
  CHECK_PARTS(#F, d_##F, d_##F, 1e-8, 1e-9, RE, IM);                                               \
  CHECK_PARTS(#F "l", l_##F, d_##F, 1e-8, 1e-9, RE, IM);                                           \
  CHECK_PARTS(#F "f", f_##F, d_##F, 1e-5, 1e-5, RE, IM)

struct Parts {
  double re, im;
};
struct Parts __enzyme_autodiff_parts(void *, ...);

static void functions(double a, double b) {
  CHECK_FAMILY(csqrt, a, b);
  CHECK_FAMILY(cexp, a, b);
  CHECK_FAMILY(clog, a, b);
  CHECK_FAMILY(csin, a, b);
  CHECK_FAMILY(ccos, a, b);
  CHECK_FAMILY(ctan, a, b);
  CHECK_FAMILY(csinh, a, b);
  CHECK_FAMILY(ccosh, a, b);
  CHECK_FAMILY(ctanh, a, b);
  CHECK_FAMILY(casin, a, b);
  CHECK_FAMILY(cacos, a, b);
  CHECK_FAMILY(catan, a, b);
  CHECK_FAMILY(casinh, a, b);
  CHECK_FAMILY(cacosh, a, b);
  CHECK_FAMILY(catanh, a, b);
  CHECK_FAMILY(cproj, a, b);
  CHECK_FAMILY(conj, a, b);
  CHECK_FAMILY(cabs, a, b);
  CHECK_FAMILY(carg, a, b);
  CHECK_FAMILY(creal, a, b);
  CHECK_FAMILY(cimag, a, b);
}

/* Binary operations, in place, in arrays. */
#define ARITHMETIC(NAME, TYPE, POW)                                                                \
  double NAME(const double *x) {                                                                   \
    TYPE complex a = (TYPE)x[0] + (TYPE)x[1] * (TYPE complex)I;                                    \
    TYPE complex b = (TYPE)x[2] + (TYPE)x[3] * (TYPE complex)I;                                    \
    TYPE complex c = a * b + a / b - (TYPE)2 * a + b / (TYPE)3;                                    \
    c *= b;                                                                                        \
    c += POW(a, b) / (a - b);                                                                      \
    return (double)(0.5 * __real__ c + 2 * __imag__ c);                                            \
  }
ARITHMETIC(floats, float, cpowf)
ARITHMETIC(doubles, double, cpow)
ARITHMETIC(extended, long double, cpowl)

/* A loop: z <- z^2 + c, as the Mandelbrot set has it. */
double orbit(const double *x, int n) {
  double complex c = x[0] + x[1] * I, z = 0;
  for (int i = 0; i < n; i++)
    z = z * z + c;
  return creal(z) * creal(z) + cimag(z);
}
/* Complex numbers in memory, passed to and returned from a function that is called. */
__attribute__((noinline)) double complex step(double complex z, double complex w) {
  return cexp(-z) * w + conj(w) / 2;
}
double series(const double complex *z, int n) {
  double complex sum = 1;
  for (int i = 0; i < n; i++)
    sum = step(z[i], sum) + z[i] * z[(i + 1) % n];
  return cabs(sum) + carg(sum);
}
/* Roots of a polynomial by Newton's method. */
double newton(const double *x) {
  double complex c = x[0] + x[1] * I, z = 1 + I;
  for (int i = 0; i < 30; i++) {
    double complex f = z * z * z - c;
    if (cabs(f) < 1e-13)
      break;
    z -= f / (3 * z * z);
  }
  return creal(z) + 3 * cimag(z);
}

double modulusAtZero(double x) { return x * x + 0 * cabs(x + x * I); }
double rootAtZero(double x) { return x + creal(0 * csqrt(x + x * I)); }

static double orbit5(double *x) { return orbit(x, 5); }
static double series4(double *x) { return series((const double complex *)x, 4); }

int main(void) {
  functions(0.6, 0.4);
  functions(-0.55, 0.35);
  functions(1.4, -0.6);
  {
    double x[4] = {0.75, -0.5, 1.25, 0.375}, d[4] = {0}, f[4] = {0}, l[4] = {0};
    __enzyme_autodiff((void *)doubles, x, d);
    CHECK_SLOPES_WITHIN(1e-3, "doubles", 4, x, d, doubles(x));
    __enzyme_autodiff((void *)extended, x, l);
    CHECK_SLOPES_WITHIN(1e-3, "extended", 4, x, l, doubles(x));
    __enzyme_autodiff((void *)floats, x, f);
    for (int i = 0; i < 4; i++)
      checkWithin("floats", i, f[i], d[i], 1e-5, 1e-5);
  }
  {
    double x[2] = {-0.4, 0.55}, d[2] = {0}, t[2] = {1, -2};
    __enzyme_autodiff((void *)orbit, x, d, 5);
    CHECK_SLOPES("orbit", 2, x, d, orbit5(x));
    CHECK_FORWARD("orbit", __enzyme_fwddiff((void *)orbit, x, t, 5), 2, t, d);
  }
  {
    double x[8], d[8] = {0}, t[8];
    fill(x, 8, 3, -1, 1);
    fill(t, 8, 4, -1, 1);
    __enzyme_autodiff((void *)series, x, d, 4);
    CHECK_SLOPES("series", 8, x, d, series4(x));
    CHECK_FORWARD("series", __enzyme_fwddiff((void *)series, x, t, 4), 8, t, d);
  }
  {
    double x[2] = {0.5, 2}, d[2] = {0};
    __enzyme_autodiff((void *)newton, x, d);
    CHECK_SLOPES_WITHIN(1e-3, "newton", 2, x, d, newton(x));
  }
  CHECK("modulus at zero", __enzyme_autodiff((void *)modulusAtZero, 0.0), 0);
  CHECK("root at zero", __enzyme_autodiff((void *)rootAtZero, 0.0), 1);
  return finish();
}
