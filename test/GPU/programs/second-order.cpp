// The derivative of a gradient, in a kernel: a product of the Hessian with a vector; and two directions at once.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

extern __device__ int enzyme_width;
__device__ double energy(const double *x) { return sin(x[0]) * x[1] * x[1] + exp(x[0] * x[1]); }
__device__ void gradient(const double *x, double *dx) {
  __enzyme_autodiff<void>((void *)energy, enzyme_dup, x, dx);
}

KERNEL gradients(const double *x, double *dx) { gradient(x + 2 * globalX(), dx + 2 * globalX()); }

KERNEL products(const double *x, const double *v, double *hv) {
  int i = 2 * globalX();
  double dx[2] = {0, 0}, product[2] = {0, 0};
  __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, x + i, v + i, enzyme_dup, dx, product);
  hv[i] = product[0];
  hv[i + 1] = product[1];
}

struct Pair {
  double a, b;
};
KERNEL pairs(const double *x, const double *v, const double *w, double *out) {
  int i = 2 * globalX();
  Pair both = __enzyme_fwddiff<Pair>((void *)energy, enzyme_width, 2, enzyme_dup, x + i, v + i, w + i);
  out[i] = both.a;
  out[i + 1] = both.b;
}

#else

KERNEL gradients(const double *x, double *dx);
KERNEL products(const double *x, const double *v, double *hv);
KERNEL pairs(const double *x, const double *v, const double *w, double *out);

int main() {
  const int n = 12;
  std::vector<double> x(n), v(n), w(n), hv(n), above(n), below(n), dx(n), both(n);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(0.8 * i), v[i] = std::cos(1.4 * i), w[i] = std::sin(2.1 * i);
  gpu::launch(products, 2, 3, x.data(), v.data(), hv.data());
  const double h = 1e-6;
  for (double sign : {1.0, -1.0}) {
    std::vector<double> moved = x;
    for (int i = 0; i < n; ++i)
      moved[i] += sign * h * v[i];
    gpu::launch(gradients, 2, 3, moved.data(), (sign > 0 ? above : below).data());
  }
  for (int i = 0; i < n; ++i)
    gpu::expectNear("hv", i, hv[i], (above[i] - below[i]) / (2 * h), 1e-7);
  gpu::launch(gradients, 2, 3, x.data(), dx.data());
  gpu::launch(pairs, 2, 3, x.data(), v.data(), w.data(), both.data());
  for (int i = 0; i < n; i += 2) {
    gpu::expectNear("along v", i, both[i], dx[i] * v[i] + dx[i + 1] * v[i + 1], 1e-12);
    gpu::expectNear("along w", i, both[i + 1], dx[i] * w[i] + dx[i + 1] * w[i + 1], 1e-12);
  }
}

#endif
