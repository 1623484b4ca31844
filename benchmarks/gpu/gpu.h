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

#ifndef LARGER
#define LARGER 1
#endif
/// How many times as much as the tests a measurement computes: a power of two.
constexpr int larger = LARGER;
/// Of an array with so many dimensions, where the tests have \p Few along each.
inline int along(int Few, int Dimensions) {
  return Few * int(std::pow(larger, 1.0 / Dimensions) + 1e-9);
}
/// Threads of a block, where the tests have \p Few.
constexpr int threadsFor(int Few) { return Few * std::min(larger, 256 / Few); }
/// Blocks for \p Items, where the tests have \p Few blocks of \p FewThreads.
constexpr int blocksFor(int Items, int Few, int FewThreads) {
  return larger == 1 ? Few : (Items + threadsFor(FewThreads) - 1) / threadsFor(FewThreads);
}

/// Runs \p Launch with a tape, if the kernels have one.
template <class L> void withTape(L Launch) {
  static std::vector<double> memory(larger == 1 ? 1 << 17 : 1 << 26);
  if (&isozyme_tape)
    isozyme_tape = {memory.data(), 8 * memory.size(), 0};
  Launch();
  if (&isozyme_tape && isozyme_tape.used > isozyme_tape.bytes)
    std::printf("%llu bytes of tape\n", isozyme_tape.used), std::exit(1);
}
#endif

#endif
