// A stencil with a tile in shared memory that is used twice, and an order of threads in integers that no
// derivative is of: in reverse mode and in forward mode.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__shared__ float tile[18];
__shared__ int order[16];

__device__ void stencil(const float *x, float *y) {
  int t = threadX(), i = globalX();
  order[t] = t * 5 % 16;
  tile[t + 1] = x[i] * x[i];
  if (t < 2)
    tile[17 * t] = x[i];
  waitForBlock();
  float v = sin(tile[t]) * tile[t + 2] + tile[order[t] + 1];
  waitForBlock();
  tile[t] = v * v;
  order[t] = 0;
  waitForBlock();
  y[i] = tile[t] * tile[15 - t] + order[t];
}

KERNEL values(const float *x, float *y) { stencil(x, y); }
KERNEL gradients(const float *x, float *dx, float *y, float *dy) {
  __enzyme_autodiff<void>((void *)stencil, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
KERNEL tangents(const float *x, const float *dx, float *y, float *dy) {
  __enzyme_fwddiff<void>((void *)stencil, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

#else

KERNEL values(const float *x, float *y);
KERNEL gradients(const float *x, float *dx, float *y, float *dy);
KERNEL tangents(const float *x, const float *dx, float *y, float *dy);

int main() {
  const int n = 32;
  std::vector<float> x(n), dx(n), y(n), dy(n), w(n), v(n);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(1.3 * i), w[i] = std::cos(0.6 * i), v[i] = std::sin(0.2 * i);
  dy = w;
  gpu::launch(gradients, 2, 16, x.data(), dx.data(), y.data(), dy.data());
  gpu::expectGradient<float>("dx", x, dx, [&] {
    gpu::launch(values, 2, 16, x.data(), y.data());
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += double(w[i]) * y[i];
    return sum;
  }, 2e-3, 5e-3);
  // <w, J v> in two ways.
  gpu::launch(tangents, 2, 16, x.data(), v.data(), y.data(), dy.data());
  double forward = 0, reverse = 0;
  for (int i = 0; i < n; ++i)
    forward += double(w[i]) * dy[i], reverse += double(dx[i]) * v[i];
  gpu::expectNear("both modes", 0, forward, reverse, 1e-5);
}

#endif
