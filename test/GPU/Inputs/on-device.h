// Launches on a GPU instead of in the emulator: for programs that are compiled with ON_DEVICE
// (on-device.cpp).
#ifndef ISOZYME_TEST_ON_DEVICE_H
#define ISOZYME_TEST_ON_DEVICE_H

#include <functional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace gpu {

/// One that a kernel is given.
struct Argument {
  const void *Place; ///< Where its value is.
  size_t Bytes;
  bool IsPointer;
  bool IsWritten;     ///< What it points to may change.
  size_t ElementSize; ///< Of what it points to.
  char Element;       ///< 'f' for float, 'd' for double, 0 for others.
};

template <class P> Argument argument(const P &Value) {
  if constexpr (std::is_pointer_v<P>) {
    using Element = std::remove_pointer_t<P>;
    using Bare = std::remove_cv_t<Element>;
    const char Kind = std::is_same_v<Bare, float> ? 'f' : std::is_same_v<Bare, double> ? 'd' : 0;
    return {&Value, sizeof Value, true, !std::is_const_v<Element>, sizeof(Element), Kind};
  } else {
    return {&Value, sizeof Value, false, false, 0, 0};
  }
}

/// Runs \p Kernel on the device, and leaves its results in the memory of the host. Before that \p
/// Emulate runs on the same memory: where the two differ, the program ends with an error.
void launchOnDevice(const void *Kernel, Size Grid, Size Block,
                    const std::vector<Argument> &Arguments, const std::function<void()> &Emulate);

template <class... P, class... A>
void launch(void (*Kernel)(P...), Size Grid, Size Block, A... Args) {
  std::tuple<P...> Given(Args...);
  std::vector<Argument> All =
      std::apply([](const P &...Each) { return std::vector<Argument>{argument(Each)...}; }, Given);
  launchOnDevice(reinterpret_cast<const void *>(Kernel), Grid, Block, All,
                 [&] { run(Grid, Block, [&] { std::apply(Kernel, Given); }); });
}

} // namespace gpu

#endif
