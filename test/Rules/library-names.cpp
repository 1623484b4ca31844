// Functions of GSL, Cephes and Julia by their names, and short names by a mark: the derivative is that of
// the function, and calls nothing that the library lacks. The library is a file of its own.
// RUN: %clangxx -O1 -DLIBRARY -c %s -o %t.library.o
// RUN: %clangxx -O0 %s %t.library.o -o %t && %t
// RUN: %clangxx -O2 %s %t.library.o -o %t && %t
#include <cmath>
#include <cstdio>

extern "C" {
double gsl_sf_bessel_I0(double x), gsl_sf_bessel_I1(double x), gsl_sf_bessel_K0(double x);
double gsl_sf_bessel_K1(double x), gsl_sf_expint_E1(double x), gsl_sf_expint_Ei(double x);
double gsl_sf_psi(double x), gsl_sf_log(double x), gsl_sf_exp(double x), gsl_sf_sinc(double x);
double gsl_sf_pow_int(double x, int n), gsl_sf_lambert_W0(double x);
double cephes_i0(double x), cephes_i1(double x), cephes_psi(double x), cephes_ndtr(double x);
double cephes_jv(double order, double x), gsl_sf_bessel_j0(double x);
double xlogy_jl(double x, double y), jl_rem2pi(double x, int rounding), __saturate(double x);
double i0(double x), i1(double x), psi(double x), sinc(double x), ndtr(double x), jv(double order, double x);
}

#ifdef LIBRARY
double gsl_sf_bessel_I0(double x) { return std::cyl_bessel_i(0, x); }
double gsl_sf_bessel_I1(double x) { return std::cyl_bessel_i(1, x); }
double gsl_sf_bessel_K0(double x) { return std::cyl_bessel_k(0, x); }
double gsl_sf_bessel_K1(double x) { return std::cyl_bessel_k(1, x); }
double gsl_sf_expint_E1(double x) { return -std::expint(-x); }
double gsl_sf_expint_Ei(double x) { return std::expint(x); }
double gsl_sf_psi(double x) { return x < 20 ? gsl_sf_psi(x + 1) - 1 / x : psi(x); }
double gsl_sf_log(double x) { return std::log(x); }
double gsl_sf_exp(double x) { return std::exp(x); }
double gsl_sf_sinc(double x) { return std::sin(M_PI * x) / (M_PI * x); }
double gsl_sf_pow_int(double x, int n) { return std::pow(x, n); }
double gsl_sf_lambert_W0(double x) {
  double w = 0;
  for (int k = 0; k < 50; k++)
    w -= (w - x * std::exp(-w)) / (w + 1);
  return w;
}
double cephes_i0(double x) { return std::cyl_bessel_i(0, x); }
double cephes_i1(double x) { return std::cyl_bessel_i(1, x); }
double cephes_psi(double x) { return gsl_sf_psi(x); }
double cephes_ndtr(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double cephes_jv(double order, double x) { return std::cyl_bessel_j(order, x); }
double gsl_sf_bessel_j0(double x) { return std::sin(x) / x; }
double ndtr(double x) { return cephes_ndtr(x); }
double jv(double order, double x) { return cephes_jv(order, x); }
double sinc(double x) { return std::sin(x) / x; }
double xlogy_jl(double x, double y) { return x == 0 ? 0 : x * std::log(y); }
double jl_rem2pi(double x, int) { return std::remainder(x, 2 * M_PI); }
double __saturate(double x) { return std::fmin(std::fmax(x, 0.0), 1.0); }
double i0(double x) { return std::cyl_bessel_i(0, x); }
double i1(double x) { return std::cyl_bessel_i(1, x); }
double psi(double x) {
  if (x < 20)
    return psi(x + 1) - 1 / x;
  const double s = 1 / (x * x);
  return std::log(x) - 0.5 / x - s * (1. / 12 - s * (1. / 120 - s * (1. / 252 - s / 240)));
}
#else
double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
// Names this short may be anything in another file, and are known by a mark only.
void *__enzyme_function_like_i0[] = {(void *)i0, (void *)"i0"};
void *__enzyme_function_like_i1[] = {(void *)i1, (void *)"cyl_bessel_i1"};
void *__enzyme_function_like_psi[] = {(void *)psi, (void *)"psi"};
void *__enzyme_function_like_sinc[] = {(void *)sinc, (void *)"sinc"};
void *__enzyme_function_like_ndtr[] = {(void *)ndtr, (void *)"normcdf"};
void *__enzyme_function_like_jv[] = {(void *)jv, (void *)"jv"};

static double bessel(double x) { return gsl_sf_bessel_I0(x) * gsl_sf_bessel_K0(x) + gsl_sf_bessel_I1(x); }
static double second(double x) { return gsl_sf_bessel_K1(x * x); }
static double integrals(double x) { return gsl_sf_expint_E1(x) * gsl_sf_expint_Ei(2 * x); }
static double polygamma(double x) { return gsl_sf_psi(x) + cephes_psi(x - 2) + psi(3 * x); }
static double elementary(double x) { return gsl_sf_log(x) * gsl_sf_exp(x) + gsl_sf_pow_int(x, 3) * gsl_sf_sinc(x) * gsl_sf_bessel_j0(x); }
static double lambert(double x) { return gsl_sf_lambert_W0(x); }
static double cephes(double x) { return cephes_i0(x) * cephes_i1(x) + cephes_ndtr(x) * cephes_jv(1.5, x); }
static double marked(double x) { return i0(x) + i1(x * x) + ndtr(x) * jv(1.5, x) + sinc(x); }
static double julia(double x) { return xlogy_jl(x, 1 + x * x) + jl_rem2pi(20 * x, 0); }
static double saturated(double x) { return __saturate(x) + __saturate(x + 2) + __saturate(x - 2); }

constexpr double Tolerance = 1e-8;
#include "Inputs/against-differences.h"

int main() {
  check<bessel>("bessel", 0.7);
  check<second>("second", 0.7);
  check<integrals>("integrals", 0.7);
  check<polygamma>("polygamma", 0.7);
  check<elementary>("elementary", 0.7);
  check<lambert>("lambert", 0.7);
  check<cephes>("cephes", 0.7);
  check<marked>("marked", 0.7);
  check<julia>("julia", 0.7);
  check<saturated>("saturated", 0.7);
  return Failures;
}
#endif
