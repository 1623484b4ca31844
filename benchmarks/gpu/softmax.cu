// The softmax of rows: a warp has a row, and finds its largest number and the sum by shuffles. Beside it a gradient by
// hand.
#include "gpu.h"

#ifndef EMULATED

__device__ float largest(float v) {
  for (int by = 16; by > 0; by /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, by));
  return v;
}
__device__ float sumOf(float v) {
  for (int by = 16; by > 0; by /= 2)
    v += __shfl_xor_sync(0xffffffff, v, by);
  return v;
}

__device__ void softmax(const float *x, float *y) {
  int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float v[2], most = -1e30f, sum = 0;
  for (int k = 0; k < 2; ++k) {
    v[k] = x[64 * row + 32 * k + lane];
    most = fmaxf(most, v[k]);
  }
  most = largest(most);
  for (int k = 0; k < 2; ++k) {
    v[k] = expf(v[k] - most);
    sum += v[k];
  }
  sum = sumOf(sum);
  for (int k = 0; k < 2; ++k)
    y[64 * row + 32 * k + lane] = v[k] / sum;
}

KERNEL values(const float *x, float *y) { softmax(x, y); }
KERNEL gradients(const float *x, float *dx, float *y, float *dy) {
  __enzyme_autodiff<void>((void *)softmax, enzyme_dup, isozyme_unshared, x, dx, enzyme_dup, isozyme_unshared, y, dy);
}
KERNEL hand(const float *x, float *dx, float *y, const float *dy) {
  softmax(x, y);
  int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0;
  for (int k = 0; k < 2; ++k)
    sum += y[64 * row + 32 * k + lane] * dy[64 * row + 32 * k + lane];
  sum = sumOf(sum);
  for (int k = 0; k < 2; ++k) {
    int i = 64 * row + 32 * k + lane;
    dx[i] += y[i] * (dy[i] - sum);
  }
}

#else

KERNEL values(const float *x, float *y);
KERNEL gradients(const float *x, float *dx, float *y, float *dy);
KERNEL hand(const float *x, float *dx, float *y, const float *dy);

int main() {
  const int n = 4 * 64 * larger, blocks = 2 * larger;
  std::vector<float> x = gpu::wave<float>(n, 1.3), dx(n), byHand(n), y(n), w = gpu::wave<float>(n, 0.6), dy = w;
  gpu::launch(gradients, blocks, 64, x.data(), dx.data(), y.data(), dy.data());
  gpu::launch(hand, blocks, 64, x.data(), byHand.data(), y.data(), w.data());
  gpu::expectSame("dx", dx, byHand, 1e-5);
  gpu::launch(values, blocks, 64, x.data(), y.data());
  gpu::expectNear("sum of rows", 0, gpu::dot(y, std::vector<float>(n, 1)), 4 * larger, 1e-5);
}

#endif
