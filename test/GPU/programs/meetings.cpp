// Threads that wait for some of the others: those of a warp, whole and in parts, those of a barrier with a number, and
// the block by a barrier that need not be in step. A fence at the end, which hands nothing on.
// RUN: %run_kernels %s
// RUN: %run_kernels --watch-races %s
#include "derive.h"

#ifndef EMULATED

#if defined(__NVPTX__)
__device__ __forceinline__ void waitForWarp(unsigned mask) { __nvvm_bar_warp_sync(mask); }
__device__ __forceinline__ void waitForSome(int number, int threads) { __nvvm_barrier_sync_cnt(number, threads); }
__device__ __forceinline__ void waitForAll() { __nvvm_barrier_sync(0); }
__device__ __forceinline__ void fence() { __nvvm_membar_gl(); }
#else
__device__ __forceinline__ void waitForWarp(unsigned) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
__device__ __forceinline__ void waitForSome(int, int) { waitForWarp(-1); }
__device__ __forceinline__ void waitForAll() { waitForBlock(); }
__device__ __forceinline__ void fence() { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent"); }
#endif

/// The neighbour's number, which is overwritten afterwards, and read again.
__device__ void swapInWarp(const double *x, double *y, int n) {
  __shared__ double part[64];
  int i = threadIdx.x;
  part[i] = x[i] * x[i];
  waitForWarp(-1);
  double v = part[i ^ 1];
  waitForWarp(-1);
  part[i] = v * v * x[i];
  waitForAll();
  y[i] = part[(i + n) % 64] * v;
}

/// Parts of eight, whose masks depend on the thread.
__device__ void sumInParts(const double *x, double *y, int n) {
  __shared__ double part[64];
  int i = threadIdx.x;
  unsigned mask = 0xffu << (laneX() & 24);
  part[i] = x[i] * x[(i + n) % 64];
  for (int by = 4; by; by /= 2) {
    waitForWarp(mask);
    double sum = part[i] * part[i ^ by];
    waitForWarp(mask);
    part[i] = sum;
  }
  waitForBlock();
  y[i] = part[i] * part[63 - i];
  fence();
}

/// Each half of the block by itself: two barriers.
__device__ void halves(const double *x, double *y, int n) {
  __shared__ double part[64];
  int i = threadIdx.x, number = 1 + i / 32;
  waitForBlock();
  part[i] = sin(x[i]);
  waitForSome(number, 32);
  double v = part[i ^ 31] * x[i];
  waitForSome(number, 32);
  part[i] = v;
  waitForBlock();
  y[i] = part[(i * 5 + n) % 64] * v;
}

/// Each reads the one behind, which its thread overwrites: the gradient must not read it again.
__device__ void pass(const double *x, double *y, int n) {
  __shared__ double part[65];
  int i = threadIdx.x;
  part[i + 1] = x[i] * x[i];
  if (i == 0)
    part[0] = x[0];
  waitForBlock();
  double v = part[i];
  waitForBlock();
  part[i + 1] = v * v * v;
  waitForBlock();
  y[i] = part[i + 1] * x[n - 1 - i];
}

#endif

DERIVE(swapInWarp, double)
DERIVE(sumInParts, double)
DERIVE(halves, double)
DERIVE(pass, double)

#ifdef EMULATED
int main() {
  std::vector<double> x = gpu::wave(64, 1.3);
  for (double &v : x)
    v = 1 + 0.4 * v;
  swapInWarp.check(x, 64, 1, 64, 37, 1e-6, 1e-7);
  sumInParts.check(x, 64, 1, 64, 11, 1e-6, 1e-6);
  halves.check(x, 64, 1, 64, 7, 1e-6, 1e-7);
  pass.check(x, 64, 1, 64, 64, 1e-6, 1e-6);
}
#endif
