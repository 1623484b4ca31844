// What kernels of the tests are written with, for CUDA and for HIP without their headers, and for
// the host's half of the same file.
#ifndef ISOZYME_TEST_DEVICE_H
#define ISOZYME_TEST_DEVICE_H

#ifdef EMULATED // The host: kernels are there already.

#include "emulator.h"
#define KERNEL extern "C" void

#else

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define KERNEL extern "C" __global__ void

typedef unsigned long size_t;

#if defined(__NVPTX__)
static __device__ __forceinline__ int threadX() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ __forceinline__ int blockX() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ __forceinline__ int blockSizeX() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ __forceinline__ int gridSizeX() { return __nvvm_read_ptx_sreg_nctaid_x(); }
static __device__ __forceinline__ void waitForBlock() { __syncthreads(); }
#define MATH(NAME) __nv_##NAME
#define MATHF(NAME) __nv_##NAME##f
#else
static __device__ __forceinline__ int threadX() { return __builtin_amdgcn_workitem_id_x(); }
static __device__ __forceinline__ int blockX() { return __builtin_amdgcn_workgroup_id_x(); }
static __device__ __forceinline__ int blockSizeX() { return __builtin_amdgcn_workgroup_size_x(); }
static __device__ __forceinline__ int gridSizeX() {
  return ((const __attribute__((address_space(4))) unsigned *)__builtin_amdgcn_implicitarg_ptr())[0];
}
static __device__ __forceinline__ void waitForBlock() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#define MATH(NAME) __ocml_##NAME##_f64
#define MATHF(NAME) __ocml_##NAME##_f32
#endif
static __device__ __forceinline__ int globalX() { return blockX() * blockSizeX() + threadX(); }

#define MATH_1(NAME)                                                                               \
  extern "C" __device__ __attribute__((const)) double MATH(NAME)(double);                          \
  extern "C" __device__ __attribute__((const)) float MATHF(NAME)(float);                           \
  static __device__ __forceinline__ double NAME(double x) { return MATH(NAME)(x); }                \
  static __device__ __forceinline__ float NAME(float x) { return MATHF(NAME)(x); }
#define MATH_2(NAME)                                                                               \
  extern "C" __device__ __attribute__((const)) double MATH(NAME)(double, double);                  \
  static __device__ __forceinline__ double NAME(double x, double y) { return MATH(NAME)(x, y); }
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"
MATH_1(sin)
MATH_1(cos)
MATH_1(exp)
MATH_1(log)
MATH_1(tanh)
MATH_1(erf)
MATH_1(erfcinv)
MATH_1(sqrt)
MATH_1(rsqrt)
MATH_2(pow)
MATH_2(atan2)
#pragma clang diagnostic pop

static __device__ __forceinline__ double atomicAdd(double *p, double x) {
#if defined(__NVPTX__)
  return __scoped_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
#else
  return __hip_atomic_fetch_add(p, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#endif
}

#ifndef ISOZYME_NO_MARKERS // What a call of Isozyme is told about its arguments.
extern __device__ int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed;
template <class R, class... A> __device__ R __enzyme_autodiff(void *, A...);
template <class R, class... A> __device__ R __enzyme_fwddiff(void *, A...);
#endif

#endif
#endif
