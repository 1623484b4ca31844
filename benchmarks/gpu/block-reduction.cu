// A smooth distance of many numbers from their targets: each thread adds up some, each block adds up what its threads
// have by a tree in shared memory, and adds that to one number. Beside it a gradient by hand, which needs no sums.
#include "gpu.h"

#ifndef EMULATED

#define THREADS 64

__device__ void distance(const float *__restrict__ x, const float *__restrict__ target, float *__restrict__ sum,
                         int n) {
  __shared__ float parts[THREADS];
  int t = threadIdx.x;
  float mine = 0;
  for (int i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS) {
    float off = x[i] - target[i];
    mine += sqrtf(1 + off * off);
  }
  parts[t] = mine;
  __syncthreads();
  for (int by = THREADS / 2; by > 0; by /= 2) {
    if (t < by)
      parts[t] += parts[t + by];
    __syncthreads();
  }
  if (t == 0)
    atomicAdd(sum, parts[0]);
}

KERNEL values(const float *x, const float *target, float *sum, int n) { distance(x, target, sum, n); }
KERNEL gradients(const float *x, float *dx, const float *target, float *sum, float *dsum, int n) {
  __enzyme_autodiff<void>((void *)distance, enzyme_dup, isozyme_unshared, x, dx, enzyme_const, target, enzyme_dup, sum,
                          dsum, enzyme_const, n);
}
KERNEL hand(const float *x, float *dx, const float *target, const float *dsum, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float off = x[i] - target[i];
    dx[i] += *dsum * off / sqrtf(1 + off * off);
  }
}

#else

KERNEL values(const float *x, const float *target, float *sum, int n);
KERNEL gradients(const float *x, float *dx, const float *target, float *sum, float *dsum, int n);
KERNEL hand(const float *x, float *dx, const float *target, const float *dsum, int n);

int main() {
  const int n = 150 * larger, blocks = 2 * larger;
  std::vector<float> x = gpu::wave<float>(n, 1.3), target = gpu::wave<float>(n, 0.4), dx(n), byHand(n);
  std::vector<float> sum(1), dsum(1, 0.7f);
  gpu::launch(gradients, blocks, 64, x.data(), dx.data(), target.data(), sum.data(), dsum.data(), n);
  gpu::expectNear("dsum stays", 0, dsum[0], 0.7f, 0);
  gpu::launch(hand, blocks, 64, x.data(), byHand.data(), target.data(), dsum.data(), n);
  gpu::expectSame("dx", dx, byHand, 1e-5);
  gpu::expectGradient<float>("dx", x, dx, [&] {
    sum[0] = 0;
    gpu::launch(values, blocks, 64, x.data(), target.data(), sum.data(), n);
    return 0.7 * sum[0];
  }, 0.05, 2e-3);
}

#endif
