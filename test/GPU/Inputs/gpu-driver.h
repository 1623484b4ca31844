// The driver of an NVIDIA or an AMD GPU, by its names: neither toolkit is needed to build this.
#ifndef ISOZYME_TEST_GPU_DRIVER_H
#define ISOZYME_TEST_GPU_DRIVER_H

#include "emulator.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace gpu {

/// What both drivers have. Each function ends the program where the driver does not do what it is
/// told.
class Driver {
public:
  /// The library says whose it is by the names that it has.
  Driver(const char *Library, const char *Code) {
    Loaded = dlopen(Library, RTLD_NOW);
    if (!Loaded)
      fail("the driver", dlerror());
    IsAmd = !dlsym(Loaded, "cuInit");
    call("cuInit", "hipInit", 0u);
    int Device = 0;
    call("cuDeviceGet", "hipDeviceGet", &Device, 0);
    if (IsAmd) {
      call("", "hipSetDevice", 0);
    } else {
      void *Context = nullptr;
      call("cuDevicePrimaryCtxRetain", "", &Context, Device);
      call("cuCtxSetCurrent", "", Context);
    }
    call("cuModuleLoad", "hipModuleLoad", &Module, Code);
    for (void *&Each : Ends)
      call("cuEventCreate", "hipEventCreateWithFlags", &Each, 0u);
  }

  uint64_t allocate(size_t Bytes) const {
    uint64_t P = 0;
    call("cuMemAlloc_v2", "hipMalloc", &P, Bytes);
    return P;
  }
  void release(uint64_t P) const { call("cuMemFree_v2", "hipFree", P); }
  void send(uint64_t To, const void *From, size_t Bytes) const {
    call("cuMemcpyHtoD_v2", "hipMemcpyHtoD", To, From, Bytes);
  }
  void fetch(void *To, uint64_t From, size_t Bytes) const {
    call("cuMemcpyDtoH_v2", "hipMemcpyDtoH", To, From, Bytes);
  }

  /// Where a variable is, and how large; nothing if the code has none of this name.
  std::pair<uint64_t, size_t> variable(const char *Name) const {
    uint64_t P = 0;
    size_t Bytes = 0;
    if (tryCall("cuModuleGetGlobal_v2", "hipModuleGetGlobal", &P, &Bytes, Module, Name))
      return {0, 0};
    return {P, Bytes};
  }

  /// Waits for it. Milliseconds.
  float run(const char *Kernel, Size Grid, Size Block, unsigned Bytes, void **Arguments) const {
    void *Function = nullptr;
    call("cuModuleGetFunction", "hipModuleGetFunction", &Function, Module, Kernel);
    void *Stream = nullptr, **Others = nullptr;
    call("cuEventRecord", "hipEventRecord", Ends[0], Stream);
    call("cuLaunchKernel", "hipModuleLaunchKernel", Function, Grid[0], Grid[1], 1u, Block[0],
         Block[1], 1u, Bytes, Stream, Arguments, Others);
    call("cuEventRecord", "hipEventRecord", Ends[1], Stream);
    call("cuEventSynchronize", "hipEventSynchronize", Ends[1]);
    float Time = 0;
    call("cuEventElapsedTime", "hipEventElapsedTime", &Time, Ends[0], Ends[1]);
    return Time;
  }

private:
  [[noreturn]] static void fail(const char *What, const char *Why) {
    std::printf("%s: %s\n", What, Why);
    std::exit(1);
  }
  template <class... A> int tryCall(const char *Nvidia, const char *Amd, A... Args) const {
    const char *Name = IsAmd ? Amd : Nvidia;
    auto *Function = reinterpret_cast<int (*)(A...)>(dlsym(Loaded, Name));
    if (!Function)
      fail(Name, "the driver has no such function");
    return Function(Args...);
  }
  template <class... A> void call(const char *Nvidia, const char *Amd, A... Args) const {
    if (int Code = tryCall(Nvidia, Amd, Args...))
      fail(IsAmd ? Amd : Nvidia, ("error " + std::to_string(Code)).c_str());
  }

  void *Loaded, *Module = nullptr, *Ends[2];
  bool IsAmd;
};

} // namespace gpu

#endif
