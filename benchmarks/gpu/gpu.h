// What the kernels of these benchmarks are written with: CUDA's spelling. Its headers and HIP's have it; without them
// there is the stand-in of the tests (test/GPU/Inputs/toolkit.h). EMULATED is the host's half.
#ifndef ISOZYME_BENCHMARKS_GPU_H
#define ISOZYME_BENCHMARKS_GPU_H

#ifdef EMULATED
#include "emulator.h"
#define KERNEL extern "C" void
#else
#if defined(__HIP__) && __has_include(<hip/hip_runtime.h>)
#include <hip/hip_runtime.h>
#elif !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)
#include "toolkit.h"
#endif
#define KERNEL extern "C" __global__ void

extern __device__ int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed, isozyme_unshared;
template <class R, class... A> __device__ R __enzyme_autodiff(void *, A...);
template <class R, class... A> __device__ R __enzyme_fwddiff(void *, A...);
#endif

struct DeviceTape {
  void *memory;
  unsigned long long bytes, used;
};

// Memory for tapes.
#define TAPE extern "C" __device__ DeviceTape isozyme_tape; __device__ DeviceTape isozyme_tape;
// What keeps nothing when short loops are unrolled keeps something at -O0 and -O1.
#if LEVEL >= 2 || !defined(LEVEL)
#define TAPE_BELOW_O2
#else
#define TAPE_BELOW_O2 TAPE
#endif

#ifdef EMULATED
extern "C" __attribute__((weak)) DeviceTape isozyme_tape;

/// Runs \p Launch with a tape, if the kernels have one.
template <class L> void withTape(L Launch) {
  static std::vector<double> memory(1 << 17);
  if (&isozyme_tape)
    isozyme_tape = {memory.data(), 8 * memory.size(), 0};
  Launch();
  if (&isozyme_tape && isozyme_tape.used > isozyme_tape.bytes)
    std::printf("%llu bytes of tape\n", isozyme_tape.used), std::exit(1);
}
#endif

#endif
