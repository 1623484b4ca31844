// Cross sections from the poles of resonances: each thread samples an energy, and sums what the poles in the window of
// that energy contribute, by a function of complex numbers that is a sum of three terms far from zero, and a series
// near it. After the description of RSBench.
#include "gpu.h"

struct Pole {
  double energyRe, energyIm, totalRe, totalIm, absorptionRe, absorptionIm, fissionRe, fissionIm;
  int channel, unused;
};
struct Window {
  double total, absorption, fission;
  int start, end;
};

#ifndef EMULATED

TAPE

struct Complex {
  double re, im;
};
__device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
__device__ Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ Complex operator/(Complex a, Complex b) {
  double d = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}
__device__ Complex expOf(Complex z) {
  double e = exp(z.re);
  return {e * cos(z.im), e * sin(z.im)};
}

/// The Faddeeva function, roughly.
__device__ Complex faddeeva(Complex z) {
  const Complex i{0, 1};
  if (z.re * z.re + z.im * z.im >= 9) {
    Complex z2 = z * z;
    Complex w = Complex{0.512424224754768462984202823134979415014943561548661637413182, 0} /
                (z2 - Complex{0.275255128608410950901357962647054304017026259671664935783653, 0});
    w = w + Complex{0.051765358792987823963876628425793170829107067780337219430904, 0} /
                (z2 - Complex{2.724744871391589049098642037352945695982973740328335064216346, 0});
    return i * z * w;
  }
  const Complex iz = i * z, width{6, 0};
  Complex w = (Complex{1, 0} - expOf(width * iz)) / (width * Complex{0, -1} * z);
  for (int n = 1; n <= 5; ++n) {
    double at = n * 3.14159265358979 / 6;
    Complex a{2 * exp(-at * at), 0};
    double sign = n % 2 ? -1 : 1;
    Complex top = Complex{sign, 0} * expOf(width * iz) - Complex{1, 0};
    w = w + a * width * Complex{0, -1} * z * top /
                (Complex{36 * at * at, 0} - Complex{36, 0} * z * z) * Complex{-1, 0};
  }
  return w;
}

__device__ double sample(unsigned long *seed) {
  *seed = (2806196910506780709ul * *seed + 1ul) % 9223372036854775808ul;
  return double(*seed) / 9223372036854775808.0;
}

__device__ void phases(double energy, const double *radius, int nuclide, Complex *factor) {
  for (int i = 0; i < 4; ++i) {
    double phi = radius[nuclide * 4 + i] * sqrt(energy);
    if (i == 1)
      phi -= -atan2(phi, 1.0);
    else if (i == 2)
      phi -= atan2(3.0 * phi, 3.0 - phi * phi);
    else if (i == 3)
      phi -= atan2(phi * (15.0 - phi * phi), 15.0 - 6.0 * phi * phi);
    phi *= 2;
    factor[i] = {cos(phi), -sin(phi)};
  }
}

__device__ double lookup(const Pole *poles, const Window *windows, const double *radius, int windowCount, int poleCount,
                         int nuclides) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long seed = 1070 + 7919ul * i;
  sample(&seed);
  double energy = 0.05 + 0.9 * sample(&seed), doppler = 0.5, total = 0, absorption = 0, fission = 0;
  for (int nuclide = i % nuclides; nuclide < nuclides; ++nuclide) {
    Complex factor[4];
    phases(energy, radius, nuclide, factor);
    int window = int(energy * windowCount);
    const Window &w = windows[nuclide * windowCount + window];
    total += energy * w.total;
    absorption += energy * w.absorption;
    fission += energy * w.fission;
    for (int p = w.start; p < w.end; ++p) {
      const Pole &pole = poles[nuclide * poleCount + p];
      Complex z = (Complex{energy, 0} - Complex{pole.energyRe, pole.energyIm}) * Complex{doppler, 0};
      Complex f = faddeeva(z * Complex{8, 0});
      total += (Complex{pole.totalRe, pole.totalIm} * f * factor[pole.channel]).re;
      absorption += (Complex{pole.absorptionRe, pole.absorptionIm} * f).re;
      fission += (Complex{pole.fissionRe, pole.fissionIm} * f).re;
    }
  }
  return sqrt(total * total + absorption * absorption + fission * fission);
}

KERNEL values(const Pole *poles, const Window *windows, const double *radius, int windowCount, int poleCount,
              int nuclides, double *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = lookup(poles, windows, radius, windowCount, poleCount, nuclides);
}
KERNEL gradients(const Pole *poles, Pole *dpoles, const Window *windows, Window *dwindows, const double *radius,
                 double *dradius, int windowCount, int poleCount, int nuclides) {
  __enzyme_autodiff<void>((void *)lookup, enzyme_dup, poles, dpoles, enzyme_dup, windows, dwindows, enzyme_dup, radius,
                          dradius, enzyme_const, windowCount, enzyme_const, poleCount, enzyme_const, nuclides);
}

#else

KERNEL values(const Pole *poles, const Window *windows, const double *radius, int windowCount, int poleCount,
              int nuclides, double *out);
KERNEL gradients(const Pole *poles, Pole *dpoles, const Window *windows, Window *dwindows, const double *radius,
                 double *dradius, int windowCount, int poleCount, int nuclides);

int main() {
  const int windowCount = 4, poleCount = 12, nuclides = 2, n = 16 * larger;
  const int threads = threadsFor(8), blocks = n / threads;
  std::vector<Pole> poles(nuclides * poleCount), dpoles(poles.size());
  std::vector<Window> windows(nuclides * windowCount), dwindows(windows.size());
  std::vector<double> radius(4 * nuclides), dradius(radius.size()), out(n);
  for (size_t i = 0; i < radius.size(); ++i)
    radius[i] = 0.7 + 0.2 * std::sin(i);
  for (size_t i = 0; i < poles.size(); ++i)
    poles[i] = {i % poleCount / 12.0, -0.02 - 0.8 * (i % 3), std::sin(i), std::cos(i),      std::sin(2 * i),
                std::cos(2 * i),      std::sin(3 * i),       std::cos(3 * i), int(i % 4), 0};
  for (int i = 0; i < nuclides * windowCount; ++i)
    windows[i] = {2 + std::sin(i), 1, 0.5, i % windowCount * 3, i % windowCount * 3 + 3};
  withTape([&] {
    gpu::launch(gradients, blocks, threads, poles.data(), dpoles.data(), windows.data(), dwindows.data(), radius.data(),
              dradius.data(), windowCount, poleCount, nuclides);
  });
  auto value = [&] {
    gpu::launch(values, blocks, threads, poles.data(), windows.data(), radius.data(), windowCount, poleCount, nuclides,
                out.data());
    return gpu::dot(out, std::vector<double>(n, 1));
  };
  gpu::expectGradient<double>("radius", radius, dradius, value);
  for (size_t i = 0; i < poles.size(); ++i)
    for (int k = 0; k < 8; ++k) {
      double &x = (&poles[i].energyRe)[k], old = x;
      x = old + 1e-6;
      double above = value();
      x = old - 1e-6;
      double below = value();
      x = old;
      gpu::expectNear("pole", 8 * i + k, (&dpoles[i].energyRe)[k], (above - below) / 2e-6, 1e-6);
    }
}

#endif
