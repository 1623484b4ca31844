// Operations that AMD's GPUs have instructions for, and NVIDIA's have not: there they are written out.
// RUN: %run_kernels %s
#include "derive.h"

#ifndef EMULATED

#if defined(__NVPTX__)
__device__ double fraction(double x) { return x - __builtin_floor(x); }
__device__ double mantissa(double x) { return x > 1 ? x / 2 : x > 0.5 ? x : x * 2; }
__device__ float sineOf(float turns) { return sin(6.2831853f * turns); }
__device__ float cosineOf(float turns) { return cos(6.2831853f * turns); }
__device__ float median(float a, float b, float c) {
  float low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c < high ? c : high;
}
#else
__device__ double fraction(double x) { return __builtin_amdgcn_fract(x); }
__device__ double mantissa(double x) { return __builtin_amdgcn_frexp_mant(x); }
__device__ float sineOf(float turns) { return __builtin_amdgcn_sinf(turns); }
__device__ float cosineOf(float turns) { return __builtin_amdgcn_cosf(turns); }
__device__ float median(float a, float b, float c) { return __builtin_amdgcn_fmed3f(a, b, c); }
#endif

__device__ void parts(const double *x, double *y, int) {
  int i = threadIdx.x;
  double v = 1.13 + 0.4 * x[i];
  y[i] = fraction(3 * v) * fraction(v * v) + mantissa(v) * x[i];
}
DERIVE(parts, double)

__device__ void turns(const float *x, float *y, int) {
  int i = threadIdx.x;
  y[i] = sineOf(x[i]) * x[i] + cosineOf(0.3f * x[i]);
}
DERIVE(turns, float)

__device__ void medians(const float *x, float *y, int n) {
  int i = threadIdx.x;
  y[i] = median(x[i], x[(i + 5) % n], x[(i + 9) % n]) * x[i];
}
DERIVE(medians, float)

#else

DERIVE(parts, double)
DERIVE(turns, float)
DERIVE(medians, float)

int main() {
  parts.check(gpu::wave(16, 0.37), 16, 1, 16, 16, 1e-6, 1e-7);
  turns.check(gpu::wave<float>(16, 0.37), 16, 1, 16, 16, 1e-2, 2e-3);
  medians.check(gpu::wave<float>(16, 0.37), 16, 1, 16, 16, 1e-3, 2e-3);
}

#endif
