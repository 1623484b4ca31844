// The update of energy, pressure and artificial viscosity of a material, element by element, with many branches and
// cut-offs. After the description of LULESH's equation of state.
#include "gpu.h"

struct Element {
  double energy, pressure, viscosity, linear, quadratic, volume, delta;
};
struct Result {
  double energy, pressure, viscosity, speed;
};

#ifndef EMULATED

__device__ double pressureOf(double energy, double compression, double volume) {
  double c1s = 2.0 / 3.0, bvc = c1s * (compression + 1), p = bvc * energy;
  if (fabs(p) < 1e-7)
    p = 0;
  if (volume >= 1e9)
    p = 0;
  if (p < -0.5)
    p = -0.5;
  return p;
}

__device__ double soundSpeed(double pressure, double energy, double compression, double volume, double density) {
  double pbvc = 2.0 / 3.0, bvc = pbvc * (compression + 1);
  double square = (pbvc * energy + volume * volume * bvc * pressure) / density;
  return square <= 1.111111e-37 ? 3.333333e-19 : sqrt(square);
}

__device__ void update(const Element *elements, Result *results, double density, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Element e = elements[i];
  double compression = 1 / e.volume - 1, middle = e.volume - e.delta * 0.5, halfCompression = 1 / middle - 1;
  double work = 0;
  if (e.volume <= 0.4)
    halfCompression = compression;
  if (e.volume >= 1.9)
    e.pressure = 0, compression = 0, halfCompression = 0;

  double energy = e.energy - 0.5 * e.delta * (e.pressure + e.viscosity) + 0.5 * work;
  if (energy < -1)
    energy = -1;
  double halfPressure = pressureOf(energy, halfCompression, e.volume), viscosity;
  if (e.delta > 0)
    viscosity = 0;
  else
    viscosity =
        soundSpeed(halfPressure, energy, halfCompression, 1 / (1 + halfCompression), density) * e.linear + e.quadratic;
  energy += 0.5 * e.delta * (3 * (e.pressure + e.viscosity) - 4 * (halfPressure + viscosity)) + 0.5 * work;
  if (fabs(energy) < 1e-7)
    energy = 0;
  if (energy < -1)
    energy = -1;
  double pressure = pressureOf(energy, compression, e.volume), tilde;
  if (e.delta > 0)
    tilde = 0;
  else
    tilde = soundSpeed(pressure, energy, compression, e.volume, density) * e.linear + e.quadratic;
  energy -= (7 * (e.pressure + e.viscosity) - 8 * (halfPressure + viscosity) + (pressure + tilde)) * e.delta / 6;
  if (energy < -1)
    energy = -1;
  pressure = pressureOf(energy, compression, e.volume);
  if (e.delta <= 0) {
    viscosity = soundSpeed(pressure, energy, compression, e.volume, density) * e.linear + e.quadratic;
    if (fabs(viscosity) < 1e-7)
      viscosity = 0;
  }
  results[i] = {energy, pressure, viscosity, soundSpeed(pressure, energy, compression, e.volume, density)};
}

KERNEL values(const Element *elements, Result *results, double density, int n) {
  update(elements, results, density, n);
}
KERNEL gradients(const Element *elements, Element *delements, Result *results, Result *dresults, double density,
                 int n) {
  __enzyme_autodiff<void>((void *)update, enzyme_dup, isozyme_unshared, elements, delements, enzyme_dup,
                          isozyme_unshared, results, dresults, enzyme_const, density, enzyme_const, n);
}

#else

KERNEL values(const double *elements, double *results, double density, int n);
KERNEL gradients(const double *elements, double *delements, double *results, double *dresults, double density, int n);

int main() {
  const int n = 40 * larger, threads = threadsFor(16), blocks = blocksFor(n, 3, 16);
  std::vector<double> x(7 * n), dx(7 * n), y(4 * n), w = gpu::wave(4 * n, 0.9), dy = w;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 7; ++k)
      x[7 * i + k] = k == 5   ? 0.3 + 1.7 * i / n
                     : k == 6 ? (i % 3 ? -0.21 : 0.17) * (1 + i % 4)
                              : 0.9 + 0.8 * std::sin(2.3 * i + k) - (i % 5 == 0 ? 2 : 0);
  gpu::launch(gradients, blocks, threads, x.data(), dx.data(), y.data(), dy.data(), 1.2, n);
  gpu::expectGradient<double>("element", x, dx, [&] {
    gpu::launch(values, blocks, threads, x.data(), y.data(), 1.2, n);
    return gpu::dot(y, w);
  }, 1e-6, 1e-6);
}

#endif
