// Rows are normalised, scaled and shifted: a block has a row, and adds up by shuffles, then by shared memory. Beside it
// a gradient by hand.
#include "gpu.h"

#ifndef EMULATED

__device__ float sumOfBlock(float v) {
  __shared__ float parts[4];
  for (int by = 16; by > 0; by /= 2)
    v += __shfl_xor_sync(0xffffffff, v, by);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = v;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += k < blockDim.x / 32 ? parts[k] : 0;
  return sum;
}

__device__ void normalise(const float *x, const float *scale, const float *shift, float *y) {
  int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  float off = x[i] - sumOfBlock(x[i]) / n;
  float spread = sumOfBlock(off * off) / n;
  y[i] = off * rsqrtf(spread + 1e-5f) * scale[t] + shift[t];
}

KERNEL values(const float *x, const float *scale, const float *shift, float *y) { normalise(x, scale, shift, y); }
KERNEL gradients(const float *x, float *dx, const float *scale, float *dscale, const float *shift, float *dshift,
                 float *y, float *dy) {
  __enzyme_autodiff<void>((void *)normalise, enzyme_dup, isozyme_unshared, x, dx, enzyme_dup, scale, dscale,
                          enzyme_dup, shift, dshift, enzyme_dup, isozyme_unshared, y, dy);
}
KERNEL hand(const float *x, float *dx, const float *scale, float *dscale, float *dshift, const float *dy) {
  int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
  float off = x[i] - sumOfBlock(x[i]) / n, inverse = rsqrtf(sumOfBlock(off * off) / n + 1e-5f);
  float normal = off * inverse, g = dy[i] * scale[t];
  float mean = sumOfBlock(g) / n, along = sumOfBlock(g * normal) / n;
  dx[i] += inverse * (g - mean - normal * along);
  atomicAdd(&dscale[t], dy[i] * normal);
  atomicAdd(&dshift[t], dy[i]);
}

#else

KERNEL values(const float *x, const float *scale, const float *shift, float *y);
KERNEL gradients(const float *x, float *dx, const float *scale, float *dscale, const float *shift, float *dshift,
                 float *y, float *dy);
KERNEL hand(const float *x, float *dx, const float *scale, float *dscale, float *dshift, const float *dy);

int main() {
  const int n = 64, rows = 3 * larger, all = n * rows;
  std::vector<float> x = gpu::wave<float>(all, 1.3), scale = gpu::wave<float>(n, 0.4), shift = gpu::wave<float>(n, 2);
  std::vector<float> y(all), w = gpu::wave<float>(all, 0.6), dy = w, dx(all), dscale(n), dshift(n);
  std::vector<float> xByHand(all), scaleByHand(n), shiftByHand(n);
  gpu::launch(gradients, rows, n, x.data(), dx.data(), scale.data(), dscale.data(), shift.data(), dshift.data(),
              y.data(), dy.data());
  gpu::launch(hand, rows, n, x.data(), xByHand.data(), scale.data(), scaleByHand.data(), shiftByHand.data(), w.data());
  gpu::expectSame("dx", dx, xByHand, 1e-4);
  gpu::expectSame("dscale", dscale, scaleByHand, 1e-4);
  gpu::expectSame("dshift", dshift, shiftByHand, 1e-4);
  std::vector<float> some(x.begin(), x.begin() + 4), dsome(dx.begin(), dx.begin() + 4);
  gpu::expectGradient<float>("dx", some, dsome, [&] {
    std::copy(some.begin(), some.end(), x.begin());
    gpu::launch(values, rows, n, x.data(), scale.data(), shift.data(), y.data());
    return gpu::dot(y, w);
  }, 1e-2, 1e-2);
}

#endif
