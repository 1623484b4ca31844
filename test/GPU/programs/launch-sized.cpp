// Memory of a block whose size the launch says, by its name, in a function and in one that it calls. The gradient is
// launched with twice the bytes, and clears the second half itself. A check finds out where it is not.
// RUN: %run_kernels %s
// RUN: %run_kernels --watch-races %s
// RUN: %run_kernels --check %s
// RUN: not %run_kernels --check --define TOO_SMALL %s 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL-NOT: should be
// RUN: not %run_kernels --watch-races --lose-atomics %s 2>&1 | FileCheck %s
// CHECK: WARNING: ThreadSanitizer: data race
#include "device.h"

#ifndef EMULATED

extern __shared__ float tile[];

__device__ __attribute__((noinline)) double edge(int t, int n) { return tile[n] * tile[n + t % 3]; }

__device__ void stencil(const float *x, float *y, int n) {
  int t = threadX(), i = globalX();
  tile[t] = x[i] * x[i];
  if (t < 3)
    tile[n + t] = sin(x[i]);
  waitForBlock();
  float v = tile[t] * tile[n - 1 - t] + tile[0];
  double e = edge(t, n);
  waitForBlock();
  tile[t] = v * v;
  if (t < 3)
    tile[n + t] = 0;
  waitForBlock();
  y[i] = tile[n - 1 - t] * (float)e + tile[t];
}

KERNEL values(const float *x, float *y, int n) { stencil(x, y, n); }
KERNEL gradients(const float *x, float *dx, float *y, float *dy, int n) {
  __enzyme_autodiff<void>((void *)stencil, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
KERNEL tangents(const float *x, const float *dx, float *y, float *dy, int n) {
  __enzyme_fwddiff<void>((void *)stencil, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}

#else

KERNEL values(const float *x, float *y, int n);
KERNEL gradients(const float *x, float *dx, float *y, float *dy, int n);
KERNEL tangents(const float *x, const float *dx, float *y, float *dy, int n);

int main() {
  const int n = 16, blocks = 3, all = n * blocks;
  std::vector<float> x = gpu::wave<float>(all, 1.3), dx(all), y(all), w = gpu::wave<float>(all, 0.6), dy = w;
  const unsigned bytes = (n + 3) * sizeof(float) / 16 * 16 + 16;
#ifdef TOO_SMALL
  gpu::bytesOfLaunch = bytes;
#else
  gpu::bytesOfLaunch = 2 * bytes;
#endif
  gpu::launch(gradients, blocks, n, x.data(), dx.data(), y.data(), dy.data(), n);
  gpu::expectGradient<float>("dx", x, dx, [&] {
    gpu::launch(values, blocks, n, x.data(), y.data(), n);
    return gpu::dot(y, w);
  }, 2e-3, 5e-3);
  std::vector<float> v = gpu::wave<float>(all, 0.2);
  gpu::launch(tangents, blocks, n, x.data(), v.data(), y.data(), dy.data(), n);
  gpu::expectNear("both modes", 0, gpu::dot(dy, w), gpu::dot(dx, v), 1e-5);
}

#endif
