// Numbers of half precision, added up in themselves and in floats.
// RUN: %run_kernels %s
#include "derive.h"

typedef _Float16 half;

#ifndef EMULATED

__device__ void square(const half *x, half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}

/// Products with a row that all threads read, added up in a float.
__device__ void rowProduct(const half *x, half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += float(x[4 + 4 * i + k]) * float(x[k]);
  y[i] = half(sum);
}

/// A ramp with a bend, by the sign.
__device__ void bend(const half *x, half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] > half(0) ? x[i] * half(2) : x[i] * x[n - 1 - i];
}

#endif

DERIVE(square, half)
DERIVE(rowProduct, half)
DERIVE(bend, half)

#ifdef EMULATED
int main() {
  // Numbers of few digits, whose products are exact.
  std::vector<half> x(36);
  for (int i = 0; i < 36; ++i)
    x[i] = half((i * 7 % 16 - 8 + 0.5) / 8);
  square.check(x, 36, 2, 32, 36, 0.03125, 1e-2);
  rowProduct.check(x, 8, 1, 32, 8, 0.03125, 2e-2);
  bend.check(x, 36, 2, 32, 36, 0.03125, 2e-2);
}
#endif
