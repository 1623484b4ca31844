// Where threads put what others read: records in the memory of a block, an array of the GPU in place, arrays that a
// condition chooses, rows of a sparse matrix that are added elsewhere, and a softmax by a tree of maxima and of sums.
//
// RUN: %run_kernels %s
#include "derive.h"
#include "tape.h"

#ifndef EMULATED

__device__ __forceinline__ int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// struct in shared memory, early exit in a while loop, shared by several warps with syncwarp
struct Cell {
  double m, p[2];
};
__shared__ Cell cells[32];
__device__ void tree(const double *x, double *y, int n) {
  int t = threadIdx.x, i = globalThread();
  cells[t].m = 1 + x[i] * x[i];
  cells[t].p[0] = x[i];
  cells[t].p[1] = x[(i * 3 + 1) % n];
  __syncthreads();
  for (int h = 16; h > 0; h /= 2) {
    if (t < h) {
      Cell a = cells[t], b = cells[t + h], c;
      c.m = a.m + b.m;
      for (int k = 0; k < 2; ++k)
        c.p[k] = (a.m * a.p[k] + b.m * b.p[k]) / c.m;
      cells[t] = c;
    }
    __syncthreads();
  }
  double d0 = cells[0].p[0] - x[i], d1 = cells[0].p[1] - x[(i + 1) % n];
  double r = 0.1 + d0 * d0 + d1 * d1;
  int it = 0;
  while (r > 0.4 && it < 7) {
    r *= 0.7 + 0.01 * x[i];
    ++it;
  }
  y[i] = cells[0].m / r;
}
// two phases in place in global memory of one block, same array
__device__ void inplace(const double *x, double *y, int n) {
  int t = threadIdx.x, b = blockIdx.x * blockDim.x;
  y[b + t] = x[b + t] * 1.5;
  __syncthreads();
  double v = y[b + (t + 1) % blockDim.x];
  __syncthreads();
  y[b + t] = y[b + t] * v + x[b + t];
  __syncthreads();
  if (t % 2 == 0) {
    double s = y[b + t];
    y[b + t] = y[b + t + 1] * s;
    y[b + t + 1] = s * s;
  }
}
// functors, templates, dynamic choice of shared arrays, ternaries of pointers
template <class F> __device__ __attribute__((noinline)) double apply(F f, double v, int k) {
  double r = v;
  for (int j = 0; j < k; ++j)
    r = f(r, j);
  return r;
}
struct Affine {
  double a, b;
  __device__ double operator()(double v, int j) const { return j % 2 ? a * v + b : sin(v) * b; }
};
__shared__ double left[16], right[16];
__device__ void choose(const double *x, double *y, int n) {
  int t = threadIdx.x, i = globalThread();
  double *mine = t % 3 ? left : right;
  mine[t] = x[i];
  (t % 3 ? right : left)[t] = x[i] * x[(i + 1) % n];
  __syncthreads();
  const double *other = (t / 2) % 2 ? left : right;
  Affine f{other[(t + 5) % 16], x[0]};
  double r = apply(f, mine[15 - t], 2 + t % 4);
  if (r < -5)
    return;
  if (t == 3)
    r *= x[2];
  y[i] = r;
}
// CSR sparse row product with atomics scatter, column loops with unknown length, int tables
// computed
__device__ void spmv(const double *__restrict__ x, double *__restrict__ y, int n) {
  int r = globalThread();
  if (r >= n)
    return;
  int begin = r * (r + 1) / 2, end = begin + r + 1;
  double s = 0;
  for (int k = begin; k < end; ++k) {
    double a = x[n + k];
    if (a < 0.05 && a > -0.05)
      continue;
    s += a * x[k - begin];
    if (k % 4 == 1 && s > 0.3)
      atomicAdd(&y[(k * 7) % n], 0.1 * s * a);
  }
  atomicAdd(&y[r], s > 0 ? s : exp(s) - 1);
}
// running maximum with a barrier loop in shared memory by fmax
__shared__ double best[32];
__device__ void maxTree(const double *x, double *y, int n) {
  int t = threadIdx.x, i = globalThread();
  best[t] = x[i] * x[i];
  __syncthreads();
  for (int h = 16; h; h >>= 1) {
    if (t < h)
      best[t] = (best[t] > best[t + h] ? best[t] : best[t + h]);
    __syncthreads();
  }
  double m = best[0];
  __syncthreads();
  best[t] = exp(x[i] - m);
  __syncthreads();
  for (int h = 16; h; h >>= 1) {
    if (t < h)
      best[t] += best[t + h];
    __syncthreads();
  }
  y[i] = exp(x[i] - m) / best[0] + m;
}

#endif

DERIVE(tree, double)
DERIVE(inplace, double)
DERIVE(choose, double)
DERIVE(spmv, double)
DERIVE(maxTree, double)

#ifdef EMULATED

int main() {
  gpu::checkWithTape(tree, 64, 64, 2, 32, 64, 2e-6);
  gpu::checkWithTape(inplace, 64, 64, 2, 32, 64, 2e-6);
  gpu::checkWithTape(choose, 32, 32, 2, 16, 32, 2e-6);
  gpu::checkWithTape(spmv, 20 + 210, 20, 2, 16, 20, 2e-6);
  gpu::checkWithTape(maxTree, 64, 64, 2, 32, 64, 2e-6);
}

#endif
