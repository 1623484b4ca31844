// Shadows that are local arrays of a thread, behind pointers that may lead anywhere: they are added to as
// a thread does that is alone. Values of a loop of constant length are kept in local memory.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__device__ __attribute__((noinline)) double energy(const double *v, double k) {
  double sum = 0, state = k;
  for (int i = 0; i < 8; ++i) {
    state = tanh(state * v[i % 4] + v[(i + 1) % 4]);
    sum += state * v[i % 4];
  }
  return sum;
}

KERNEL values(const double *x, double *out, int n) {
  int i = globalX();
  if (i >= n)
    return;
  double v[4] = {x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]};
  out[i] = energy(v, 0.5);
}

KERNEL gradients(const double *x, double *dx, int n) {
  int i = globalX();
  if (i >= n)
    return;
  double v[4], dv[4];
  for (int j = 0; j < 4; ++j) {
    v[j] = x[4 * i + j];
    dv[j] = 0;
  }
  __enzyme_autodiff<void>((void *)energy, enzyme_dup, v, dv, enzyme_const, 0.5);
  for (int j = 0; j < 4; ++j)
    dx[4 * i + j] = dv[j];
}

#else

KERNEL values(const double *x, double *out, int n);
KERNEL gradients(const double *x, double *dx, int n);

int main() {
  const int n = 11;
  std::vector<double> x(4 * n), dx(4 * n), out(n);
  for (int i = 0; i < 4 * n; ++i)
    x[i] = std::sin(1.7 * i);
  gpu::launch(gradients, 2, 8, x.data(), dx.data(), n);
  gpu::expectGradient<double>("dx", x, dx, [&] {
    gpu::launch(values, 2, 8, x.data(), out.data(), n);
    double sum = 0;
    for (double each : out)
      sum += each;
    return sum;
  });
}

#endif
