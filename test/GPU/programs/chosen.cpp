// Which data a thread reads is decided when it runs: some have a shadow, and some have none.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__device__ double term(const double *x, const double *fixed, int i) {
  const double *from = i % 3 ? x : fixed;
  return from[i] * x[i + 1] + from[i + 1] * from[i];
}
KERNEL values(const double *x, const double *fixed, double *y, int n) {
  int i = globalX();
  if (i < n)
    y[i] = term(x, fixed, i);
}
KERNEL gradients(const double *x, double *dx, const double *fixed, int n) {
  int i = globalX();
  if (i < n)
    __enzyme_autodiff<void>((void *)term, enzyme_dup, x, dx, enzyme_const, fixed, enzyme_const, i);
}
KERNEL tangents(const double *x, const double *dx, const double *fixed, double *dy, int n) {
  int i = globalX();
  if (i < n)
    dy[i] = __enzyme_fwddiff<double>((void *)term, enzyme_dup, x, dx, enzyme_const, fixed, enzyme_const, i);
}

#else

KERNEL values(const double *x, const double *fixed, double *y, int n);
KERNEL gradients(const double *x, double *dx, const double *fixed, int n);
KERNEL tangents(const double *x, const double *dx, const double *fixed, double *dy, int n);

int main() {
  const int n = 40;
  std::vector<double> x = gpu::wave(n + 1, 0.9), fixed = gpu::wave(n + 1, 0.5), dx(n + 1), y(n);
  const std::vector<double> before = fixed;
  gpu::launch(gradients, 2, 32, x.data(), dx.data(), fixed.data(), n);
  gpu::expectSame("fixed", fixed, before, 0);
  gpu::expectGradient<double>("dx", x, dx, [&] {
    gpu::launch(values, 2, 32, x.data(), fixed.data(), y.data(), n);
    double sum = 0;
    for (double each : y)
      sum += each;
    return sum;
  });
  gpu::launch(tangents, 2, 32, x.data(), dx.data(), fixed.data(), y.data(), n);
  double sum = 0;
  for (double each : y)
    sum += each;
  gpu::expectNear("both modes", 0, sum, gpu::dot(dx, dx), 1e-9);
}

#endif
