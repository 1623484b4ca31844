// Memory for tapes, in the file of the kernels and in the host's half of it.
#ifndef ISOZYME_TEST_TAPE_H
#define ISOZYME_TEST_TAPE_H

struct DeviceTape {
  void *memory;
  unsigned long long bytes, used;
};

#ifndef EMULATED
extern "C" __device__ DeviceTape isozyme_tape;
__device__ DeviceTape isozyme_tape;
#else

#include "emulator.h"
extern "C" DeviceTape isozyme_tape;

namespace gpu {

/// From here on there are so many bytes for the tapes of all launches.
inline void setTape(size_t Bytes) {
  static std::vector<double> Memory(1 << 17);
  if (Bytes > 8 * Memory.size())
    std::printf("%zu bytes of tape are more than this program has\n", Bytes), std::exit(1);
  isozyme_tape = {Memory.data(), Bytes, 0};
}

/// How many a launch of \p Kernel takes. It runs without its gradients.
template <class... P, class... A>
size_t tapeBytes(void (*Kernel)(P...), Size Grid, Size Block, A... Args) {
  isozyme_tape = {nullptr, 0, 0};
  launch(Kernel, Grid, Block, Args...);
  return isozyme_tape.used;
}

/// \p Launch, of a kernel that takes \p Bytes, with these, and with a little less, which is noticed.
template <class L> void launchWithTape(size_t Bytes, L Launch) {
  setTape(Bytes);
  Launch();
  if (isozyme_tape.used != Bytes)
    std::printf("a launch took %llu bytes of tape, not %zu\n", isozyme_tape.used, Bytes), std::exit(1);
}
template <class L> void launchWithLess(size_t Bytes, L Launch) {
  setTape(Bytes - 16);
  Launch();
  if (isozyme_tape.used <= isozyme_tape.bytes)
    std::puts("a tape that is too small goes unnoticed"), std::exit(1);
}

/// With as many bytes as were counted. A kernel that takes none has done its work in being counted.
template <class... P, class... A> void launchCounted(void (*Kernel)(P...), Size Grid, Size Block, A... Args) {
  if (size_t Bytes = tapeBytes(Kernel, Grid, Block, Args...))
    launchWithTape(Bytes, [&] { launch(Kernel, Grid, Block, Args...); });
}

/// What Derived::check does (derive.h), at waves, with the memory that the gradient takes, and with a little less.
template <class D>
void checkWithTape(const D &Kernels, size_t SizeX, size_t SizeY, Size Grid, Size Block, int N, double Tolerance = 1e-6) {
  std::vector<double> X = wave(int(SizeX), 0.37), Y(SizeY), DX(SizeX), DY = wave(int(SizeY), 0.6);
  auto launch = [&] { gpu::launch(Kernels.Gradients, Grid, Block, X.data(), DX.data(), Y.data(), DY.data(), N); };
  size_t Bytes = tapeBytes(Kernels.Gradients, Grid, Block, X.data(), DX.data(), Y.data(), DY.data(), N);
  if (Bytes) {
    expectSame("counting: dx", DX, std::vector<double>(SizeX), 0);
    expectSame("counting: dy", DY, wave(int(SizeY), 0.6), 0);
    launchWithLess(Bytes, launch);
  }
  launchWithTape(Bytes, [&] { Kernels.check(wave(int(SizeX), 0.37), SizeY, Grid, Block, N, 1e-6, Tolerance); });
}

} // namespace gpu

#endif
#endif
