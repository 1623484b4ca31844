// Loops that end when they have found something, at a bound at the latest: what they keep lies in local arrays.
// RUN: %run_kernels %s
#include "derive.h"

#ifndef EMULATED

// The root by Newton's method.
__device__ void newton(const double *x, double *y, int n) {
  int t = globalX();
  double a = x[t], r = 1;
  for (int i = 0; i < 50; ++i) {
    double d = (r * r - a) / (2 * r);
    r -= d;
    if (d < 1e-13 && d > -1e-13)
      break;
  }
  y[t] = r * a;
}

// Up to the first sample that is large, or the last one.
__device__ void march(const double *x, double *y, int n) {
  int t = globalX();
  double light = 1, sum = 0;
  for (int i = 0; i < 20; ++i) {
    double v = x[t] * sin(0.3 * i) + 0.1 * light;
    if (v > 0.9)
      break;
    sum += light * v;
    if (sum > 3)
      break;
    light *= exp(-v * v);
  }
  y[t] = sum * light;
}

#endif

DERIVE(newton, double)
DERIVE(march, double)

#ifdef EMULATED

int main() {
  const int n = 32;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = 0.15 + 0.31 * i;
  newton.check(x, n, 2, 16, n, 1e-6, 1e-6);
  march.check(x, n, 2, 16, n, 1e-6, 1e-6);
}

#endif
