// Special functions of libraries by their names in C and C++: the derivative is that of the function,
// and calls nothing that the library lacks. The library is a file of its own.
// RUN: %clangxx -O1 -DLIBRARY -c %s -o %t.library.o
// RUN: %clangxx -O0 %s %t.library.o -o %t && %t
// RUN: %clangxx -O2 %s %t.library.o -o %t && %t
#include <cmath>
#include <complex>
#include <cstdio>
using Complex = std::complex<double>;

struct ValueAndSign {
  double value;
  int sign;
};
namespace Faddeeva {
Complex erf(Complex z, double error);
Complex w(Complex z, double error);
double Dawson(double x);
} // namespace Faddeeva
extern "C" {
double gsl_sf_bessel_Jnu(double order, double x);
double besselk(double order, double x);
double cephes_igam(double a, double x);
ValueAndSign logabsgamma(double x);
}

#ifdef LIBRARY
namespace Faddeeva {
Complex erf(Complex z, double) { // z - z^3/3 + z^5/10 - ...
  Complex sum = 0, term = z * M_2_SQRTPI;
  for (int k = 0; k < 40; term *= -z * z / double(++k))
    sum += term / double(2 * k + 1);
  return sum;
}
Complex w(Complex z, double error) {
  const Complex i(0, 1);
  return std::exp(-z * z) * (1.0 - erf(-i * z, error));
}
double Dawson(double x) { return (w(x, 0).imag()) / M_2_SQRTPI; }
} // namespace Faddeeva
double gsl_sf_bessel_Jnu(double order, double x) { return std::cyl_bessel_j(order, x); }
double besselk(double order, double x) { return std::cyl_bessel_k(order, x); }
double cephes_igam(double a, double x) {
  double sum = 0, term = std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  for (int k = 1; k < 60; term *= x / (a + k++))
    sum += term;
  return sum;
}
ValueAndSign logabsgamma(double x) {
  int sign;
  const double value = lgamma_r(x, &sign);
  return {value, sign};
}
#else
double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);

static double overlap(double x) { return std::abs(Faddeeva::erf({x, 0.3 * x}, 0)); }
static double voigt(double x) { return Faddeeva::w({x, 0.4}, 1e-12).real(); }
static double dawson(double x) { return Faddeeva::Dawson(x * x); }
static double bessel(double x) { return gsl_sf_bessel_Jnu(0.5, x) * besselk(1.5, x); }
static double partOfGamma(double x) { return cephes_igam(2.5, x * x); }
static double logGamma(double x) {
  ValueAndSign g = logabsgamma(x - 2);
  return g.sign * g.value * x;
}
// The standard's have bodies in the header, and a derivative by the order, too.
static double standard(double x) { return std::cyl_bessel_j(x, 2 * x) + std::cyl_neumann(1.2, x); }

constexpr double Tolerance = 1e-9;
#include "Inputs/against-differences.h"

int main() {
  check<overlap>("erf", 0.7);
  check<voigt>("w", 0.7);
  check<dawson>("dawson", 0.7);
  check<bessel>("bessel", 0.7);
  check<partOfGamma>("igam", 1.1);
  check<logGamma>("logabsgamma", 0.7);
  check<standard>("cyl_bessel", 0.7);
  return Failures;
}
#endif
