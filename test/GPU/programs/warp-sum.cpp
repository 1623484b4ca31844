// Lanes of a warp add up what they have by shuffles, in a function with a derivative of its own: of a sum that all
// receive it is the sum of what all send. In a loop, and twice in one function.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

static __device__ __forceinline__ float fromLane(float v, int by) {
  int bits = __builtin_bit_cast(int, v);
#if defined(__NVPTX__)
  bits = __nvvm_shfl_sync_bfly_i32(-1, bits, by, 31);
#else
  int lane = __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0));
  bits = __builtin_amdgcn_ds_bpermute((lane ^ by) * 4, bits);
#endif
  return __builtin_bit_cast(float, bits);
}

__device__ float warpSum(float v) {
  for (int by = 16; by; by /= 2)
    v += fromLane(v, by);
  return v;
}
__device__ float warpSumAugmented(float v) { return warpSum(v); }
__device__ float warpSumReverse(float, float seed) { return warpSum(seed); }
__device__ void *__enzyme_register_gradient_warpSum[3] = {(void *)warpSum, (void *)warpSumAugmented,
                                                          (void *)warpSumReverse};

__device__ void softmax(const float *x, float *y) {
  float v = x[globalX()], e = exp(v), share = e / warpSum(e);
  for (int k = 0; k < 2; ++k)
    share = share * share + 0.1f * warpSum(share * v);
  y[globalX()] = share;
}

KERNEL values(const float *x, float *y) { softmax(x, y); }
KERNEL gradients(const float *x, float *dx, float *y, float *dy) {
  __enzyme_autodiff<void>((void *)softmax, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

#else

KERNEL values(const float *x, float *y);
KERNEL gradients(const float *x, float *dx, float *y, float *dy);

int main() {
  const int n = 128;
  std::vector<float> x(n), dx(n), y(n), w(n), dy(n);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(1.3 * i), w[i] = std::cos(0.6 * i);
  dy = w;
  gpu::launch(gradients, 2, 64, x.data(), dx.data(), y.data(), dy.data());
  gpu::expectGradient<float>("dx", x, dx, [&] {
    gpu::launch(values, 2, 64, x.data(), y.data());
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += double(w[i]) * y[i];
    return sum;
  }, 1e-2, 2e-3);
}

#endif
