// The names that CUDA and HIP have in common, without the headers of either: what benchmarks/gpu uses of them.
#ifndef ISOZYME_TEST_TOOLKIT_H
#define ISOZYME_TEST_TOOLKIT_H
#define ISOZYME_NO_MARKERS
#include "device.h"
#include "warp.h"

#define __constant__ __attribute__((constant))

#if defined(__NVPTX__)
#define SIZE_OF(NAME, PTX)                                                                                            \
  struct NAME##Words {                                                                                                \
    __declspec(property(get = getX)) unsigned x;                                                                      \
    __declspec(property(get = getY)) unsigned y;                                                                      \
    static __device__ __forceinline__ unsigned getX() { return __nvvm_read_ptx_sreg_##PTX##_x(); }                    \
    static __device__ __forceinline__ unsigned getY() { return __nvvm_read_ptx_sreg_##PTX##_y(); }                    \
  };                                                                                                                  \
  extern const __device__ NAME##Words NAME;
SIZE_OF(threadIdx, tid)
SIZE_OF(blockIdx, ctaid)
SIZE_OF(blockDim, ntid)
SIZE_OF(gridDim, nctaid)
#else
static __device__ __forceinline__ unsigned gridSize(int dimension) {
  return ((const __attribute__((address_space(4))) unsigned *)__builtin_amdgcn_implicitarg_ptr())[dimension];
}
#define SIZE_OF(NAME, X, Y)                                                                                           \
  struct NAME##Words {                                                                                                \
    __declspec(property(get = getX)) unsigned x;                                                                      \
    __declspec(property(get = getY)) unsigned y;                                                                      \
    static __device__ __forceinline__ unsigned getX() { return X; }                                                   \
    static __device__ __forceinline__ unsigned getY() { return Y; }                                                   \
  };                                                                                                                  \
  extern const __device__ NAME##Words NAME;
SIZE_OF(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y())
SIZE_OF(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y())
SIZE_OF(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y())
SIZE_OF(gridDim, gridSize(0), gridSize(1))
#define __syncthreads waitForBlock
#endif
#undef SIZE_OF

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};

template <class T> __device__ __forceinline__ T __shfl_xor_sync(unsigned mask, T v, int by, int width = 32) {
  return shuffleXor(v, by, width, mask);
}
template <class T> __device__ __forceinline__ T __shfl_down_sync(unsigned mask, T v, int by, int width = 32) {
  return shuffleDown(v, by, width, mask);
}
template <class T> __device__ __forceinline__ T __shfl_up_sync(unsigned mask, T v, int by, int width = 32) {
  return shuffleUp(v, by, width, mask);
}
template <class T> __device__ __forceinline__ T __shfl_sync(unsigned mask, T v, int from, int width = 32) {
  return shuffle(v, from, width, mask);
}
template <class T> __device__ __forceinline__ T __ldg(const T *p) {
#if defined(__NVPTX__)
  if constexpr (__is_same(T, double))
    return __nvvm_ldg_d(p);
  else if constexpr (__is_same(T, float))
    return __nvvm_ldg_f(p);
  else if constexpr (__is_same(T, float4)) {
    typedef float Four __attribute__((ext_vector_type(4)));
    Four v = __nvvm_ldg_f4((const Four *)p);
    return {v[0], v[1], v[2], v[3]};
  } else if constexpr (__is_same(T, double2)) {
    typedef double Two __attribute__((ext_vector_type(2)));
    Two v = __nvvm_ldg_d2((const Two *)p);
    return {v[0], v[1]};
  } else
#endif
    return *p;
}

static __device__ __forceinline__ float atomicAdd(float *p, float x) {
#if defined(__NVPTX__)
  return __scoped_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  return __hip_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#endif
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"
MATH_1(erfc)
MATH_1(cbrt)
MATH_1(floor)
MATH_1(fabs)
#define MATH_F(NAME)                                                                                                  \
  static __device__ __forceinline__ float NAME##f(float x) { return MATHF(NAME)(x); }
MATH_F(exp)
MATH_F(log)
MATH_F(sqrt)
MATH_F(rsqrt)
MATH_F(sin)
MATH_F(cos)
MATH_F(tanh)
#define MATH_LIMIT(NAME)                                                                                              \
  MATH_2(NAME)                                                                                                        \
  extern "C" __device__ __attribute__((const)) float MATHF(NAME)(float, float);                                       \
  static __device__ __forceinline__ float NAME##f(float x, float y) { return MATHF(NAME)(x, y); }
MATH_LIMIT(fmax)
MATH_LIMIT(fmin)
#pragma clang diagnostic pop

#endif
