// A number that is exchanged for a constant, and nobody asks for what was there, is overwritten:
// what was in it before has no adjoint any more. In the memory of the GPU and of a block, as float
// and by its bits.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__shared__ float part[8];

__device__ void empty(const float *x, float *y, double *z) {
  int t = threadX(), i = globalX();
  float before = x[i] * x[i], zero = 0, old;
  part[t] = before;
  waitForBlock();
  y[i] += part[7 - t] * x[i];
  waitForBlock();
  // Those of the first two are emptied by all threads.
  __scoped_atomic_exchange_n((int *)&part[t % 2], 0x40000000, __ATOMIC_RELAXED,
                             __MEMORY_SCOPE_WRKGRP);
  waitForBlock();
  z[i] = part[t] * part[0] * double(x[i]);
  __scoped_atomic_exchange(&y[i / 8 * 8], &zero, &old, __ATOMIC_SEQ_CST, __MEMORY_SCOPE_DEVICE);
}

KERNEL values(const float *x, float *y, double *z) { empty(x, y, z); }
KERNEL gradients(const float *x, float *dx, float *y, float *dy, double *z, double *dz) {
  __enzyme_autodiff<void>((void *)empty, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, z, dz);
}
KERNEL tangents(const float *x, const float *dx, float *y, float *dy, double *z, double *dz) {
  __enzyme_fwddiff<void>((void *)empty, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, z, dz);
}

#else

KERNEL values(const float *x, float *y, double *z);
KERNEL gradients(const float *x, float *dx, float *y, float *dy, double *z, double *dz);
KERNEL tangents(const float *x, const float *dx, float *y, float *dy, double *z, double *dz);

int main() {
  const int n = 24;
  std::vector<float> x = gpu::wave<float>(n, 1.3), dx(n), start = gpu::wave<float>(n, 0.4),
                     y = start;
  std::vector<float> w = gpu::wave<float>(n, 0.6), dy = w;
  std::vector<double> z(n), v = gpu::wave(n, 0.9), dz = v;
  gpu::launch(gradients, 3, 8, x.data(), dx.data(), y.data(), dy.data(), z.data(), dz.data());
  for (int i = 0; i < n; ++i)
    gpu::expectNear("dy", i, dy[i], i % 8 ? w[i] : 0, 1e-6);
  gpu::expectGradient<float>(
      "dx", x, dx,
      [&] {
        y = start;
        gpu::launch(values, 3, 8, x.data(), y.data(), z.data());
        return gpu::dot(y, w) + gpu::dot(z, v);
      },
      2e-3, 5e-3);
  std::vector<float> u = gpu::wave<float>(n, 0.2), ty(n);
  std::vector<double> tz(n);
  y = start;
  gpu::launch(tangents, 3, 8, x.data(), u.data(), y.data(), ty.data(), z.data(), tz.data());
  gpu::expectNear("both modes", 0, gpu::dot(ty, w) + gpu::dot(tz, v), gpu::dot(dx, u), 1e-5);
}

#endif
