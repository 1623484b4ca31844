// std::complex: operators, functions of the library, containers of them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <complex>
#include <vector>

using Complex = std::complex<double>;

static double functions(const double *x) {
  Complex a(x[0], x[1]), b(x[2], x[3]);
  Complex c = std::exp(a) * b + std::sqrt(b) / a - std::log(a + 2.0) * std::conj(b);
  c += std::sin(a) + std::cosh(b) - std::tan(a * 0.5) + std::atan(b * 0.25);
  c *= std::pow(a, b) + std::pow(a, 2.5) + std::pow(b, 3);
  c /= std::polar(1.5 + x[0] * x[0], x[1]);
  return std::abs(c) + std::norm(a - b) + std::arg(c) + c.real() * c.imag();
}

/// Discrete Fourier transform of real data; the power in the lower half, weighted.
static double spectrum(const double *x, int n) {
  std::vector<Complex> out(n);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      out[k] += x[j] * std::polar(1.0, -2 * M_PI * k * j / n);
  double sum = 0;
  for (int k = 0; k < n / 2; k++)
    sum += k * std::norm(out[k]) + out[k].imag();
  return sum;
}

/// Impedance of a ladder of resistors, coils and capacitors.
static double ladder(const double *x, int n) {
  const Complex i(0, 1);
  Complex z(x[0], 0);
  for (int k = 1; k < n; k++) {
    Complex series = x[k] + i * (0.5 * k), parallel = i * (x[k] * 0.25) + 1.0 / z;
    z = series + 1.0 / parallel;
  }
  return std::abs(z);
}

static float single(const float *x) {
  std::complex<float> a(x[0], x[1]), b(x[2], x[3]);
  return std::abs(a * b / (a + b)) + std::real(std::exp(a - b));
}

static double spectrum8(double *x) { return spectrum(x, 8); }
static double ladder5(double *x) { return ladder(x, 5); }

int main() {
  {
    double x[4] = {0.5, 0.75, 1.25, -0.5}, d[4] = {}, t[4] = {1, -1, 0.5, 2};
    __enzyme_autodiff<void>((void *)functions, x, d);
    CHECK_SLOPES_WITHIN(1e-3, "functions", 4, x, d, functions(x));
    CHECK_FORWARD("functions", __enzyme_fwddiff<double>((void *)functions, x, t), 4, t, d);
  }
  {
    double x[8], d[8] = {}, t[8];
    fill(x, 8, 1, -1, 1);
    fill(t, 8, 2, -1, 1);
    __enzyme_autodiff<void>((void *)spectrum, x, d, 8);
    CHECK_SLOPES("spectrum", 8, x, d, spectrum8(x));
    CHECK_FORWARD("spectrum", __enzyme_fwddiff<double>((void *)spectrum, x, t, 8), 8, t, d);
  }
  {
    double x[5], d[5] = {}, t[5];
    fill(x, 5, 5, 0.5, 2);
    fill(t, 5, 6, -1, 1);
    __enzyme_autodiff<void>((void *)ladder, x, d, 5);
    CHECK_SLOPES("ladder", 5, x, d, ladder5(x));
    CHECK_FORWARD("ladder", __enzyme_fwddiff<double>((void *)ladder, x, t, 5), 5, t, d);
  }
  {
    float x[4] = {0.5f, 0.75f, 1.25f, -0.5f}, d[4] = {};
    __enzyme_autodiff<void>((void *)single, x, d);
    for (int i = 0; i < 4; i++) {
      const float h = 1.0f / 128, here = x[i];
      x[i] = here + h;
      const double up = single(x);
      x[i] = here - h;
      const double down = single(x);
      x[i] = here;
      checkWithin("single", i, d[i], (up - down) / (2 * h), 1e-3, 1e-5);
    }
  }
  return finish();
}
