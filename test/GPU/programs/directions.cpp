// Forward mode of a whole kernel.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__device__ void smooth(const double *x, double *y, int n) {
  int i = globalX();
  if (i < n)
    y[i] = 0.5 * x[i] * x[i] + (i ? sin(x[i - 1]) : 0) + x[(i + 1) % n];
}

KERNEL values(const double *x, double *y, int n) { smooth(x, y, n); }
KERNEL tangents(const double *x, const double *dx, double *y, double *dy, int n) {
  __enzyme_fwddiff<void>((void *)smooth, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}

#else

KERNEL values(const double *x, double *y, int n);
KERNEL tangents(const double *x, const double *dx, double *y, double *dy, int n);

int main() {
  const int n = 21;
  std::vector<double> x(n), dx(n), y(n), dy(n), above(n), below(n);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(0.9 * i), dx[i] = std::cos(1.3 * i);
  gpu::launch(tangents, 3, 8, x.data(), dx.data(), y.data(), dy.data(), n);
  const double h = 1e-6;
  for (double sign : {1.0, -1.0}) {
    std::vector<double> moved = x;
    for (int i = 0; i < n; ++i)
      moved[i] += sign * h * dx[i];
    gpu::launch(values, 3, 8, moved.data(), (sign > 0 ? above : below).data(), n);
  }
  for (int i = 0; i < n; ++i)
    gpu::expectNear("dy", i, dy[i], (above[i] - below[i]) / (2 * h), 1e-8);
}

#endif
