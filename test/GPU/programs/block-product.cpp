// Threads of a block reduce through shared memory, with a barrier in each round of a loop; the gradient
// waits at the same places, backwards. The kernel asks for two gradients one after another.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__shared__ double part[32];

__device__ void product(const double *x, const double *w, double *out) {
  int t = threadX();
  part[t] = 1 + x[globalX()] * w[t % 2];
  waitForBlock();
  for (int k = 0; k < 5; ++k) {
    int s = 16 >> k;
    if (t < s)
      part[t] = part[t] * part[t + s];
    waitForBlock();
  }
  if (t == 0)
    out[blockX()] = sin(part[0]);
}

KERNEL values(const double *x, const double *w, double *out) { product(x, w, out); }

KERNEL gradients(const double *x, double *dx, const double *w, double *dw, double *out, double *dout) {
  for (int k = 0; k < 2; ++k) {
    if (threadX() == 0)
      dout[blockX()] = 1 + k;
    waitForBlock();
    __enzyme_autodiff<void>((void *)product, enzyme_dup, x, dx, enzyme_dup, w, dw, enzyme_dup, out, dout);
  }
}

#else

KERNEL values(const double *x, const double *w, double *out);
KERNEL gradients(const double *x, double *dx, const double *w, double *dw, double *out, double *dout);

int main() {
  const int blocks = 3, n = 32 * blocks;
  std::vector<double> x(n), dx(n), w{0.05, -0.04}, dw(2), out(blocks), dout(blocks);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(1.0 + i);
  gpu::launch(gradients, blocks, 32, x.data(), dx.data(), w.data(), dw.data(), out.data(), dout.data());
  auto value = [&] {
    gpu::launch(values, blocks, 32, x.data(), w.data(), out.data());
    return 3 * (out[0] + out[1] + out[2]);
  };
  gpu::expectGradient<double>("dx", x, dx, value);
  gpu::expectGradient<double>("dw", w, dw, value);
}

#endif
