// The drivers of both GPUs, for on-device.cpp where there is no GPU: kernels are what gpu-emulate
// has made, memory of the device is other memory of the host. With FAKE_DRIVER=forgets the device
// changes nothing.
#include "emulator.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>

namespace {
bool forgets() {
  const char *How = std::getenv("FAKE_DRIVER");
  return How && !std::strcmp(How, "forgets");
}

int allocate(void **P, size_t Bytes) { return *P = std::malloc(Bytes), 0; }
int release(void *P) { return std::free(P), 0; }
int copy(void *To, const void *From, size_t Bytes) { return std::memcpy(To, From, Bytes), 0; }
int findFunction(void **Function, void *, const char *Name) {
  *Function = dlsym(RTLD_DEFAULT, (std::string("gpu_kernel_") + Name).c_str());
  return *Function ? 0 : 500;
}
int findVariable(void **P, size_t *Bytes, void *, const char *Name) {
  *P = dlsym(RTLD_DEFAULT, Name);
  Dl_info Info;
  ElfW(Sym) *Symbol = nullptr;
  if (!*P || !dladdr1(*P, &Info, reinterpret_cast<void **>(&Symbol), RTLD_DL_SYMENT) || !Symbol)
    return 500;
  return *Bytes = Symbol->st_size, 0;
}
int launch(void *Kernel, gpu::Size Grid, gpu::Size Block, unsigned Bytes, void **Arguments) {
  gpu::bytesOfLaunch = Bytes;
  if (!forgets())
    gpu::run(Grid, Block, [&] { reinterpret_cast<void (*)(void **)>(Kernel)(Arguments); });
  return 0;
}
} // namespace

#define DRIVER(PREFIX, LAUNCH, EVENT, V2)                                                          \
  int PREFIX##Init(unsigned) { return 0; }                                                         \
  int PREFIX##DeviceGet(int *, int) { return 0; }                                                  \
  int PREFIX##ModuleLoad(void **, const char *) { return 0; }                                      \
  int PREFIX##ModuleGetFunction(void **F, void *M, const char *Name) {                             \
    return findFunction(F, M, Name);                                                               \
  }                                                                                                \
  int PREFIX##ModuleGetGlobal##V2(void **P, size_t *Bytes, void *M, const char *Name) {            \
    return findVariable(P, Bytes, M, Name);                                                        \
  }                                                                                                \
  int PREFIX##MemcpyHtoD##V2(void *To, const void *From, size_t Bytes) {                           \
    return copy(To, From, Bytes);                                                                  \
  }                                                                                                \
  int PREFIX##MemcpyDtoH##V2(void *To, const void *From, size_t Bytes) {                           \
    return copy(To, From, Bytes);                                                                  \
  }                                                                                                \
  int EVENT(void **, unsigned) { return 0; }                                                       \
  int PREFIX##EventRecord(void *, void *) { return 0; }                                            \
  int PREFIX##EventSynchronize(void *) { return 0; }                                               \
  int PREFIX##EventElapsedTime(float *Time, void *, void *) { return *Time = 0.002f, 0; }          \
  int LAUNCH(void *F, unsigned GX, unsigned GY, unsigned, unsigned X, unsigned Y, unsigned,        \
             unsigned Bytes, void *, void **Arguments, void **) {                                  \
    return launch(F, {GX, GY}, {X, Y}, Bytes, Arguments);                                          \
  }

extern "C" {
#ifdef AMD
DRIVER(hip, hipModuleLaunchKernel, hipEventCreateWithFlags, )
int hipSetDevice(int) { return 0; }
int hipMalloc(void **P, size_t Bytes) { return allocate(P, Bytes); }
int hipFree(void *P) { return release(P); }
#else
DRIVER(cu, cuLaunchKernel, cuEventCreate, _v2)
int cuDevicePrimaryCtxRetain(void **, int) { return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuMemAlloc_v2(void **P, size_t Bytes) { return allocate(P, Bytes); }
int cuMemFree_v2(void *P) { return release(P); }
#endif
}
