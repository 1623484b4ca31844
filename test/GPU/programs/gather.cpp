// Threads read the same weights and each other's neighbours: shares of both are added atomically.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__device__ double term(const double *x, const double *w, int i, int n) {
  double left = x[i], right = x[(i + 1) % n];
  return w[i % 3] * sin(left) * right + left * left * w[0];
}

KERNEL values(const double *x, const double *w, double *out, int n) {
  int i = globalX();
  if (i < n)
    out[i] = term(x, w, i, n);
}

KERNEL gradients(const double *x, double *dx, const double *w, double *dw, int n) {
  int i = globalX();
  if (i < n)
    __enzyme_autodiff<void>((void *)term, enzyme_dup, x, dx, enzyme_dup, w, dw, enzyme_const, i,
                            enzyme_const, n);
}

#else

KERNEL values(const double *x, const double *w, double *out, int n);
KERNEL gradients(const double *x, double *dx, const double *w, double *dw, int n);

int main() {
  const int n = 50;
  std::vector<double> x(n), dx(n), w{0.3, -1.2, 0.7}, dw(3), out(n);
  for (int i = 0; i < n; ++i)
    x[i] = std::cos(1.0 + i);
  auto total = [&] {
    gpu::launch(values, 2, 32, x.data(), w.data(), out.data(), n);
    double sum = 0;
    for (double each : out)
      sum += each;
    return sum;
  };
  gpu::launch(gradients, 2, 32, x.data(), dx.data(), w.data(), dw.data(), n);
  gpu::expectGradient<double>("dx", x, dx, total);
  gpu::expectGradient<double>("dw", w, dw, total);
}

#endif
