// What a program of CUDA or HIP is written with, in the place of their headers, for both halves of a file.
#ifndef ISOZYME_TEST_CUDA_LIKE_H
#define ISOZYME_TEST_CUDA_LIKE_H

#include <cstddef>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
#define WORDS(NAME, READ)                                                                                             \
  struct NAME##Words {                                                                                                \
    __declspec(property(get = getX)) unsigned x;                                                                      \
    static __device__ unsigned getX() { return READ; }                                                                \
  };                                                                                                                  \
  extern const __device__ NAME##Words NAME;
#if defined(__HIP__)
WORDS(threadIdx, __builtin_amdgcn_workitem_id_x())
WORDS(blockIdx, __builtin_amdgcn_workgroup_id_x())
WORDS(blockDim, __builtin_amdgcn_workgroup_size_x())
#define RUNTIME(NAME) hip##NAME
#define HIDDEN(NAME) __hip##NAME
#define HIP_SYMBOL(NAME) &NAME
#define MATH(NAME) __ocml_##NAME##_f64
#else
WORDS(threadIdx, __nvvm_read_ptx_sreg_tid_x())
WORDS(blockIdx, __nvvm_read_ptx_sreg_ctaid_x())
WORDS(blockDim, __nvvm_read_ptx_sreg_ntid_x())
#define RUNTIME(NAME) cuda##NAME
#define HIDDEN(NAME) __cuda##NAME
#define MATH(NAME) __nv_##NAME
#endif

// The functions of mathematics that programs of the documentation call.
#define MATH_OF_ONE(NAME)                                                                                             \
  extern "C" __device__ __attribute__((const)) double MATH(NAME)(double);                                             \
  static __device__ inline double NAME(double x) { return MATH(NAME)(x); }
MATH_OF_ONE(sin)
MATH_OF_ONE(cos)
MATH_OF_ONE(exp)
MATH_OF_ONE(sqrt)
extern "C" __device__ __attribute__((const)) double MATH(pow)(double, double);
static __device__ inline double pow(double x, double y) { return MATH(pow)(x, y); }

typedef int RUNTIME(Error_t);
typedef struct StreamOfGpu *RUNTIME(Stream_t);
enum RUNTIME(MemcpyKind) {
  RUNTIME(MemcpyHostToHost), RUNTIME(MemcpyHostToDevice), RUNTIME(MemcpyDeviceToHost), RUNTIME(MemcpyDeviceToDevice)
};
constexpr int RUNTIME(Success) = 0;
extern "C" {
unsigned HIDDEN(PushCallConfiguration)(dim3 grid, dim3 block, size_t bytes = 0, RUNTIME(Stream_t) stream = nullptr);
int HIDDEN(PopCallConfiguration)(dim3 *grid, dim3 *block, size_t *bytes, RUNTIME(Stream_t) *stream);
int RUNTIME(LaunchKernel)(const void *, dim3 grid, dim3 block, void **arguments, size_t bytes, RUNTIME(Stream_t) stream);
int RUNTIME(Malloc)(void **memory, size_t bytes);
int RUNTIME(Free)(void *memory);
int RUNTIME(Memset)(void *memory, int value, size_t bytes);
int RUNTIME(Memcpy)(void *to, const void *from, size_t bytes, RUNTIME(MemcpyKind) kind);
int RUNTIME(MemcpyToSymbol)(const void *to, const void *from, size_t bytes, size_t at = 0,
                            RUNTIME(MemcpyKind) kind = RUNTIME(MemcpyHostToDevice));
int RUNTIME(MemcpyFromSymbol)(void *to, const void *from, size_t bytes, size_t at = 0,
                              RUNTIME(MemcpyKind) kind = RUNTIME(MemcpyDeviceToHost));
int RUNTIME(GetLastError)();
int RUNTIME(DeviceSynchronize)();
}
template <class T> int RUNTIME(Malloc)(T **memory, size_t bytes) { return RUNTIME(Malloc)((void **)memory, bytes); }
#ifndef __HIP__ // Variables by themselves.
template <class T> int cudaMemcpyToSymbol(const T &to, const void *from, size_t bytes) {
  return cudaMemcpyToSymbol((const void *)&to, from, bytes);
}
template <class T> int cudaMemcpyFromSymbol(void *to, const T &from, size_t bytes) {
  return cudaMemcpyFromSymbol(to, (const void *)&from, bytes);
}
#endif

#endif
