// Loops of a thread: over the grid, with an early return, with steps that depend on the data, and as long as the row
// is. Results lie apart from the data, so that nothing is kept.
// RUN: %run_kernels %s
#include "derive.h"

#ifndef EMULATED

__device__ void map(const double *__restrict__ x, double *__restrict__ y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = sin(x[i]) * x[i];
}

/// Some threads have nothing to do, others find out later.
__device__ void early(const double *__restrict__ x, double *__restrict__ y, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  if (first >= n || x[first] < -0.8)
    return;
  for (int i = first; i < n; i += all) {
    if (x[i] > 0.9)
      return;
    y[i] = x[i] * x[first];
  }
}

/// One sum of a thread, added to one of all.
__device__ void sum(const double *__restrict__ x, double *__restrict__ y, int n) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i] * x[i] * x[(i + 1) % n];
  atomicAdd(y, mine);
}

/// Newton's steps for the cube root of 2 + x, ten of them; those that find it good enough do nothing.
__device__ void newton(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double r = 1;
  for (int step = 0; step < 10; ++step) {
    double f = r * r * r - (2 + x[i]);
    if (fabs(f) > 1e-9)
      r -= f / (3 * r * r);
  }
  y[i] = r;
}

/// A polynomial whose kind is the thread's.
__device__ void kinds(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i], p = 0;
  switch (i % 4) {
  case 0:
    p = v * v;
    break;
  case 1:
    p = exp(v);
    [[fallthrough]];
  case 2:
    p += v * x[n - 1 - i];
    break;
  default:
    for (int k = 0; k < 4; ++k)
      p = p * v + k;
  }
  y[i] = p;
}

/// Rows of a sparse matrix with one to four entries, which lie behind each other; n rows.
__device__ void sparse(const double *__restrict__ x, double *__restrict__ y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n)
    return;
  double sum = 0;
  for (int k = 0, at = row * 4; k < 1 + row % 4; ++k, ++at)
    sum += x[at] * x[4 * n + (row * 3 + k * 5) % n];
  y[row] = sum;
}

#endif

DERIVE(map, double)
DERIVE(early, double)
DERIVE(sum, double)
DERIVE(newton, double)
DERIVE(kinds, double)
DERIVE(sparse, double)

#ifdef EMULATED
int main() {
  const std::vector<double> x = gpu::wave(150, 0.9);
  map.check(x, 150, 2, 32, 150, 1e-6, 1e-7);
  early.check(x, 150, 2, 32, 150, 1e-6, 1e-7);
  sum.check(x, 1, 2, 32, 150, 1e-6, 1e-7);
  newton.check(gpu::wave(40, 0.9), 40, 2, 32, 40, 1e-6, 1e-7);
  kinds.check(gpu::wave(40, 0.9), 40, 2, 32, 40, 1e-6, 1e-7);
  sparse.check(gpu::wave(200, 0.9), 40, 2, 32, 40, 1e-6, 1e-7);
}
#endif
