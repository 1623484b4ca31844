// What layers of networks do with a row: a warp has one, or a block.
// RUN: %run_kernels %s
#include "derive.h"

#ifndef EMULATED

__device__ __forceinline__ float sumOf(float v) {
  for (int by = 16; by > 0; by /= 2)
    v += __shfl_xor_sync(0xffffffff, v, by);
  return v;
}
__device__ __forceinline__ float largestOf(float v) {
  for (int by = 16; by > 0; by /= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, by));
  return v;
}
__device__ __forceinline__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Behind the rows there are the scale and the shift of each column, which all rows read.
__device__ void layerNorm(const float *x, float *y, int n) {
  float v = x[place()], mean = sumOf(v) / 32, apart = v - mean;
  float scale = rsqrtf(sumOf(apart * apart) / 32 + 1e-3f);
  int column = threadIdx.x % 32;
  y[place()] = apart * scale * x[n + column] + x[n + 32 + column];
}

__device__ void rmsNorm(const float *x, float *y, int n) {
  float v = x[place()];
  y[place()] = v * rsqrtf(sumOf(v * v) / 32 + 1e-3f) * x[n + threadIdx.x % 32];
}

/// The loss of each row; its target is one of the columns.
__device__ void crossEntropy(const float *x, float *y, int) {
  float v = x[place()], most = largestOf(v), all = sumOf(expf(v - most));
  int row = place() / 32;
  if (int(threadIdx.x) % 32 == row * 5 % 32)
    y[row] = logf(all) + most - v;
}

/// Of rows as long as a block, through the sums of its warps.
__device__ void blockNorm(const float *x, float *y, int) {
  __shared__ float parts[2];
  float v = x[place()], part = sumOf(v * v);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = part;
  __syncthreads();
  y[place()] = v / sqrtf(parts[0] + parts[1]);
}

/// Turned pairs of columns, by the angle of their row.
__device__ void rotary(const float *x, float *y, int n) {
  float a = x[2 * place()], b = x[2 * place() + 1], angle = x[n + place() / 16];
  float c = cosf(angle), s = sinf(angle);
  y[2 * place()] = a * c - b * s;
  y[2 * place() + 1] = a * s + b * c;
}

/// Gates: one half of the row times a smooth step of the other.
__device__ void gated(const float *x, float *y, int n) {
  float a = x[place()], b = x[n + place()];
  y[place()] = a * b / (1 + expf(-b)) + 0.5f * b * (1 + tanhf(0.8f * (b + 0.04f * b * b * b)));
}

#endif

DERIVE(layerNorm, float)
DERIVE(rmsNorm, float)
DERIVE(crossEntropy, float)
DERIVE(blockNorm, float)
DERIVE(rotary, float)
DERIVE(gated, float)

#ifdef EMULATED
int main() {
  const std::vector<float> x = gpu::wave<float>(192, 0.9);
  layerNorm.check(x, 128, 2, 64, 128, 2e-3, 5e-3);
  rmsNorm.check(x, 128, 2, 64, 128, 2e-3, 5e-3);
  crossEntropy.check(gpu::wave<float>(128, 0.9), 4, 2, 64, 128, 2e-3, 5e-3);
  blockNorm.check(gpu::wave<float>(128, 0.9), 128, 2, 64, 128, 2e-3, 5e-3);
  rotary.check(gpu::wave<float>(132, 0.9), 128, 2, 32, 128, 2e-3, 5e-3);
  gated.check(gpu::wave<float>(128, 0.9), 64, 2, 32, 64, 2e-3, 5e-3);
}
#endif
