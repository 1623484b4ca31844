// A histogram with soft edges: a number counts in two bins, in parts. Blocks collect in shared memory by atomic
// additions, then in the memory of the GPU. Beside it a gradient by hand, which only reads.
#include "gpu.h"

#ifndef EMULATED

#define BINS 16

__device__ void count(const float *__restrict__ x, float *__restrict__ bins, int n) {
  __shared__ float mine[BINS];
  if (threadIdx.x < BINS)
    mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float at = x[i] * (BINS - 1);
    int bin = int(at);
    float share = at - bin;
    share = share * share * (3 - 2 * share);
    atomicAdd(&mine[bin], 1 - share);
    atomicAdd(&mine[bin + 1], share);
  }
  __syncthreads();
  if (threadIdx.x < BINS)
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

KERNEL values(const float *x, float *bins, int n) { count(x, bins, n); }
KERNEL gradients(const float *x, float *dx, float *bins, float *dbins, int n) {
  __enzyme_autodiff<void>((void *)count, enzyme_dup, isozyme_unshared, x, dx, enzyme_dup, bins, dbins, enzyme_const, n);
}
KERNEL hand(const float *x, float *dx, const float *dbins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float at = x[i] * (BINS - 1);
    int bin = int(at);
    float share = at - bin;
    dx[i] += (dbins[bin + 1] - dbins[bin]) * 6 * share * (1 - share) * (BINS - 1);
  }
}

#else

KERNEL values(const float *x, float *bins, int n);
KERNEL gradients(const float *x, float *dx, float *bins, float *dbins, int n);
KERNEL hand(const float *x, float *dx, const float *dbins, int n);

int main() {
  const int n = 75 * larger, bins = 16, blocks = 2 * larger;
  std::vector<float> x(n), dx(n), byHand(n), count(bins), w = gpu::wave<float>(bins, 1.1), dcount = w;
  for (int i = 0; i < n; ++i)
    x[i] = 0.5f + 0.49f * std::sin(1.3f * i);
  gpu::launch(gradients, blocks, 32, x.data(), dx.data(), count.data(), dcount.data(), n);
  gpu::expectNear("sum", 0, gpu::dot(count, std::vector<float>(bins, 1)), n, 1e-5);
  gpu::expectSame("dbins stays", dcount, w, 0);
  gpu::launch(hand, blocks, 32, x.data(), byHand.data(), w.data(), n);
  gpu::expectSame("dx", dx, byHand, 1e-4);
  std::vector<float> again(bins);
  gpu::launch(values, blocks, 32, x.data(), again.data(), n);
  gpu::expectSame("bins", count, again, 1e-5);
}

#endif
