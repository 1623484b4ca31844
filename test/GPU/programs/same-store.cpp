// Each thread of a block stores the same sum at the same place: one of them takes its adjoint. An array of
// which each thread has a number of its own, as the caller promises, needs no atomic operation.
// RUN: %run_kernels --unwatched %s
#include "device.h"

struct Pair {
  double a, b;
};

#ifndef EMULATED

extern __device__ int isozyme_unshared;
__shared__ double part[16];
__shared__ Pair both[1];

__device__ void norm(const double *x, const double *w, double *out) {
  int t = threadX();
  part[t] = x[globalX()] * x[globalX()];
  waitForBlock();
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += part[k] * w[k];
  Pair p = {sum, sum * w[0]};
  both[0] = p;
  out[blockX()] = sum * sum;
  waitForBlock();
  out[gridSizeX() + globalX()] = both[0].a * both[0].b * w[t];
}

KERNEL values(const double *x, const double *w, double *out) { norm(x, w, out); }
KERNEL gradients(const double *x, double *dx, const double *w, double *dw, double *out, double *dout) {
  __enzyme_autodiff<void>((void *)norm, enzyme_dup, isozyme_unshared, x, dx, enzyme_dup, w, dw, enzyme_dup, out,
                          dout);
}

#else

KERNEL values(const double *x, const double *w, double *out);
KERNEL gradients(const double *x, double *dx, const double *w, double *dw, double *out, double *dout);

int main() {
  const int blocks = 2, n = 16 * blocks, m = blocks + n;
  std::vector<double> x(n), dx(n), w(16), dw(16), out(m), dout(m), seed(m);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(1.0 + i), w[i % 16] = std::cos(0.3 * i);
  for (int i = 0; i < m; ++i)
    seed[i] = dout[i] = 1 + 0.1 * i;
  gpu::launch(gradients, blocks, 16, x.data(), dx.data(), w.data(), dw.data(), out.data(), dout.data());
  auto value = [&] {
    gpu::launch(values, blocks, 16, x.data(), w.data(), out.data());
    double sum = 0;
    for (int i = 0; i < m; ++i)
      sum += seed[i] * out[i];
    return sum;
  };
  gpu::expectGradient<double>("dx", x, dx, value);
  gpu::expectGradient<double>("dw", w, dw, value);
}

#endif
