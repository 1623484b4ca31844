// Loops of a length that only the data knows keep their values in memory that the program has set aside: of a
// length that is known when the loop begins, and with an exit that nobody foresees; in functions that are called;
// recursion. Too little of it is known when the kernel is done.
// RUN: %run_kernels %s
#include "device.h"
#include "tape.h"

#ifndef EMULATED

// Ray marching: the light that comes through a volume, until it is dark.
__device__ double march(const double *density, double step, int n) {
  double light = 1, at = 0.4, sum = 0;
  while (light > 0.1 && at < n - 1) {
    int cell = int(at);
    double share = at - cell, here = density[cell] * (1 - share) + density[cell + 1] * share;
    sum += light * here * here * step;
    light *= exp(-step * here);
    at += step * (1 + 0.1 * light);
  }
  return sum;
}

__device__ __attribute__((noinline)) double iterate(const double *x, int i, int n) {
  double v = x[i];
  for (int k = 0; k < n + i; ++k)
    v = sin(v) * x[k % 3] + v;
  return v;
}

__device__ double product(double x, int n) { return n < 1 ? 1 : x * product(x * 0.9, n - 1) + sin(x); }

__device__ void all(const double *x, double *y, int n) {
  int i = globalX();
  if (i < n)
    y[i] = march(x, 0.07 * (1 + i % 3), n) + iterate(x, i, n) + product(x[i], i % 4);
}

KERNEL values(const double *x, double *y, int n) { all(x, y, n); }
KERNEL gradients(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff<void>((void *)all, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}

#else

KERNEL values(const double *x, double *y, int n);
KERNEL gradients(const double *x, double *dx, double *y, double *dy, int n);

int main() {
  const int n = 11;
  std::vector<double> x(n), dx(n), y(n), dy(n, 1), memory(16);
  for (int i = 0; i < n; ++i)
    x[i] = 0.6 + 0.3 * std::sin(2.0 * i);
  auto launch = [&] { gpu::launch(gradients, 2, 8, x.data(), dx.data(), y.data(), dy.data(), n); };
  // Threads without room end, and change no number outside of the memory.
  memory[8] = 42;
  isozyme_tape = {memory.data(), 64, 0};
  launch();
  if (isozyme_tape.used <= isozyme_tape.bytes || memory[8] != 42)
    return std::puts("a tape that is too small goes unnoticed"), 1;
  // Without an address, threads count what they would take.
  dx.assign(n, 0), dy.assign(n, 1);
  size_t bytes = gpu::tapeBytes(gradients, 2, 8, x.data(), dx.data(), y.data(), dy.data(), n);
  if (bytes == 0 || gpu::dot(dx, dx) != 0 || gpu::dot(dy, dy) != n)
    return std::printf("%zu bytes; or the gradient ran while its tape was counted\n", bytes), 1;
  gpu::launchWithLess(bytes, launch);
  dx.assign(n, 0), dy.assign(n, 1);
  gpu::launchWithTape(bytes, launch);
  gpu::expectGradient<double>("dx", x, dx, [&] {
    gpu::launch(values, 2, 8, x.data(), y.data(), n);
    double sum = 0;
    for (double each : y)
      sum += each;
    return sum;
  });
}

#endif
