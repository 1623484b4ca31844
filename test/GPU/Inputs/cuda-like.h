// What a CUDA program is written with, in the place of CUDA's headers, for both halves of a file.
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
#define WORDS(NAME, PTX)                                                                                              \
  struct NAME##Words {                                                                                                \
    __declspec(property(get = getX)) unsigned x;                                                                      \
    static __device__ unsigned getX() { return __nvvm_read_ptx_sreg_##PTX##_x(); }                                    \
  };                                                                                                                  \
  extern const __device__ NAME##Words NAME;
WORDS(threadIdx, tid)
WORDS(blockIdx, ctaid)
WORDS(blockDim, ntid)

typedef int cudaError_t;
typedef struct StreamOfGpu *cudaStream_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0, cudaStream_t stream = nullptr);
cudaError_t cudaLaunchKernel(const void *, dim3 grid, dim3 block, void **arguments, size_t bytes, cudaStream_t stream);
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
}
template <class T> cudaError_t cudaMalloc(T **memory, size_t bytes) { return cudaMalloc((void **)memory, bytes); }

#endif
