// The largest and smallest of what threads have, left in memory atomically: by the operation on floats, on their bits,
// and by the usual loops of compare-and-exchange. The thread whose value it is takes the adjoint. In the memory of a
// block it is found out behind a barrier; in that of the GPU the result has to be there when the gradient begins.
//
// RUN: %run_kernels %s
// RUN: not %run_kernels --define=BEFORE_THE_FUNCTION --target=nvptx --level=-O2 %s
#include "derive.h"

#ifndef EMULATED

#define BITS(x) __builtin_bit_cast(int, x)
#define NUMBER(x) __builtin_bit_cast(float, x)

template <class T> __device__ __forceinline__ T exchangeIf(T *p, T expected, T value) {
  __scoped_atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  return expected;
}

template <class T> __device__ __forceinline__ T seenAt(T *p) {
  return __scoped_atomic_load_n(p, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

/// As programs write it, in the ways that they do.
template <int Way> __device__ __forceinline__ void leaveLargest(float *at, float v) {
  int *p = (int *)at, old = seenAt(p), seen;
  if constexpr (Way == 0) {
    __scoped_atomic_fetch_max(at, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  } else if constexpr (Way == 1) { // The bits of positive numbers have their order, those of
                                   // negative ones the reverse.
    if (v >= 0)
      __scoped_atomic_fetch_max(p, BITS(v), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    else
      __scoped_atomic_fetch_min((unsigned *)at, (unsigned)BITS(v), __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
  } else if constexpr (Way == 2) {
    do {
      seen = old;
      old = exchangeIf(p, seen, BITS(__builtin_fmaxf(v, NUMBER(seen))));
    } while (seen != old);
  } else if constexpr (Way == 3) {
    do {
      seen = old;
      float before = NUMBER(seen);
      old = exchangeIf(p, seen, BITS(before < v ? v : before));
    } while (seen != old);
  } else if constexpr (Way == 4) {
    while (v > NUMBER(old)) {
      seen = old;
      old = exchangeIf(p, seen, BITS(v));
      if (seen == old)
        break;
    }
  } else {
    while (v > NUMBER(old))
      old = exchangeIf(p, old, BITS(v));
  }
}

__device__ __forceinline__ void leaveSmallest(double *at, double v) {
  unsigned long long *p = (unsigned long long *)at, old = seenAt(p);
  while (__builtin_bit_cast(double, old) > v)
    old = exchangeIf(p, old, __builtin_bit_cast(unsigned long long, v));
}

__shared__ float top;

/// Divided by the largest, as before a softmax.
template <int Way> __device__ __forceinline__ void scale(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i] * x[i] + 0.3f * x[i ^ 1];
  if (threadIdx.x == 0)
    top = Way == 1 ? 0.f : -10.f;
  __syncthreads();
  leaveLargest<Way>(&top, v);
  __syncthreads();
  y[i] = v / (1.f + top * top) + top;
}
__device__ void way0(const float *x, float *y, int) { scale<0>(x, y); }
__device__ void way2(const float *x, float *y, int) { scale<2>(x, y); }
__device__ void way3(const float *x, float *y, int) { scale<3>(x, y); }
__device__ void way4(const float *x, float *y, int) { scale<4>(x, y); }
__device__ void way5(const float *x, float *y, int) { scale<5>(x, y); }
/// Each thread has several, and some have none.
__device__ void way1(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = threadIdx.x;
  if (i == 0)
    top = 0;
  __syncthreads();
  for (int k = i; k < n; k += blockDim.x)
    if (k % 3)
      leaveLargest<1>(&top, x[k] * x[k] * x[0]);
  __syncthreads();
  if (i == 0)
    y[0] = top * x[1];
}

/// In the memory of the GPU.
__device__ void extent(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    leaveSmallest(y, x[i] * x[i] - x[i]);
}
KERNEL extentValues(const double *x, double *y, int n) { extent(x, y, n); }
KERNEL extentGradients(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff<void>((void *)extent, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
#define DERIVE_REVERSE(NAME)                                                                       \
  KERNEL NAME##Values(const float *x, float *y, int n) { NAME(x, y, n); }                          \
  KERNEL NAME##Gradients(const float *x, float *dx, float *y, float *dy, int n) {                  \
    __enzyme_autodiff<void>((void *)NAME, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);  \
  }

#else

KERNEL extentValues(const double *x, double *y, int n);
KERNEL extentGradients(const double *x, double *dx, double *y, double *dy, int n);
#define DERIVE_REVERSE(NAME)                                                                       \
  KERNEL NAME##Values(const float *x, float *y, int n);                                            \
  KERNEL NAME##Gradients(const float *x, float *dx, float *y, float *dy, int n);

#endif

DERIVE_REVERSE(way0)
DERIVE_REVERSE(way1)
DERIVE_REVERSE(way2)
DERIVE_REVERSE(way3)
DERIVE_REVERSE(way4)
DERIVE_REVERSE(way5)

#ifdef EMULATED

static void check(const char *name, void (*values)(const float *, float *, int),
                  void (*gradients)(const float *, float *, float *, float *, int), unsigned blocks,
                  int m) {
  std::vector<float> x = gpu::wave<float>(48, 0.9), dx(48), y(m), w = gpu::wave<float>(m, 0.6),
                     dy = w;
  gpu::launch(gradients, blocks, 48 / blocks, x.data(), dx.data(), y.data(), dy.data(), 48);
  gpu::expectGradient<float>(
      name, x, dx,
      [&] {
        gpu::launch(values, blocks, 48 / blocks, x.data(), y.data(), 48);
        return gpu::dot(y, w);
      },
      1e-3, 2e-3);
}
#define CHECK(NAME, BLOCKS, M) check(#NAME, NAME##Values, NAME##Gradients, BLOCKS, M);

int main() {
  CHECK(way0, 2, 48)
  CHECK(way1, 3, 1)
  CHECK(way2, 2, 48)
  CHECK(way3, 2, 48)
  CHECK(way4, 2, 48)
  CHECK(way5, 2, 48)

  const int n = 30;
  std::vector<double> x = gpu::wave(n, 0.7), dx(n), y{100}, dy{1.5};
#ifndef BEFORE_THE_FUNCTION
  gpu::launch(extentValues, 2, 16, x.data(), y.data(), n);
#endif
  gpu::launch(extentGradients, 2, 16, x.data(), dx.data(), y.data(), dy.data(), n);
  gpu::expectNear("dy", 0, dy[0], 0, 0);
  gpu::expectGradient<double>("extent", x, dx, [&] {
    y[0] = 100;
    gpu::launch(extentValues, 2, 16, x.data(), y.data(), n);
    return 1.5 * y[0];
  });
}

#endif
