//===- gpu.h - Memory for tapes on a GPU -------------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a file of CUDA or HIP with kernels whose gradients keep values. In front of a launch:
//
//   unsigned long long bytes = isozyme_tape_bytes(gradient, grid, block, x, dx, n);
//   cudaMalloc(&memory, bytes);
//   isozyme_set_device_tape(memory, bytes);
//   gradient<<<grid, block>>>(x, dx, n);
//   if (!isozyme_tape_sufficed()) ...
//
// Each file has a variable of its own, and these functions are about the kernels of their file.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_GPU_H
#define ISOZYME_GPU_H

/// Where tapes lie. The compiler knows the variable by its name.
struct isozyme_device_tape {
  void *memory;             ///< Aligned to 16 bytes. Null: launches only count bytes.
  unsigned long long bytes; ///< Its size.
  unsigned long long used;  ///< What the threads have asked for.
};
__device__ isozyme_device_tape isozyme_tape;

/// More than any GPU has: what isozyme_tape_bytes returns where a launch failed.
constexpr unsigned long long isozyme_no_tape = ~0ull;

namespace isozyme_gpu {
#ifdef __HIP__
static inline bool write(isozyme_device_tape tape) {
  return hipMemcpyToSymbol(HIP_SYMBOL(isozyme_tape), &tape, sizeof tape) == hipSuccess;
}
/// When all launches are done.
static inline bool read(isozyme_device_tape &tape) {
  return hipGetLastError() == hipSuccess && hipDeviceSynchronize() == hipSuccess &&
         hipMemcpyFromSymbol(&tape, HIP_SYMBOL(isozyme_tape), sizeof tape) == hipSuccess;
}
#else
static inline bool write(isozyme_device_tape tape) {
  return cudaMemcpyToSymbol(isozyme_tape, &tape, sizeof tape) == cudaSuccess;
}
/// When all launches are done.
static inline bool read(isozyme_device_tape &tape) {
  return cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess &&
         cudaMemcpyFromSymbol(&tape, isozyme_tape, sizeof tape) == cudaSuccess;
}
#endif
} // namespace isozyme_gpu

/// Launches take their tapes from this memory, all of it, from now on. False: an error.
static inline bool isozyme_set_device_tape(void *memory, unsigned long long bytes) {
  return isozyme_gpu::write({memory, bytes, 0});
}

/// Waits for the GPU. Did all launches since the last isozyme_set_device_tape have enough memory?
/// Else their gradients are not complete.
static inline bool isozyme_tape_sufficed() {
  isozyme_device_tape tape;
  return isozyme_gpu::read(tape) && tape.used <= tape.bytes;
}

/// The bytes that what \p launch launches takes: `[&] { kernel<<<grid, block, shared>>>(x, dx, n);
/// }`. The kernels run without the gradients that keep values. No memory is set afterwards.
template <class L> static unsigned long long isozyme_tape_bytes(L launch) {
  isozyme_device_tape tape = {nullptr, 0, 0};
  if (!isozyme_gpu::write(tape))
    return isozyme_no_tape;
  launch();
  return isozyme_gpu::read(tape) ? tape.used : isozyme_no_tape;
}

/// The same of one launch of \p kernel, without memory of the block from the launch.
template <class... P, class... A>
static unsigned long long isozyme_tape_bytes(void (*kernel)(P...), dim3 grid, dim3 block,
                                             A... args) {
  return isozyme_tape_bytes([&] { kernel<<<grid, block>>>(args...); });
}

#endif
