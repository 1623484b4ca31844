// The run times of CUDA and HIP, for programs that run without a GPU. Memory of the GPU is memory of the host at an
// address that cannot be read: who touches it without a copy, stops. With EMULATED, kernels are what gpu-emulate has made
// of the device's half.
#ifdef EMULATED
#include "emulator.h"
#include <dlfcn.h>
#include <string>
#endif
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace {
struct Size {
  unsigned X, Y, Z;
};
struct Launch {
  Size Grid, Block;
  size_t Bytes;
  void *Stream;
};
struct Threads {
  size_t Blocks, OfBlock, Bytes;
};
using Body = void (*)(const Threads &, void **);

std::vector<Launch> Pushed;
/// Programs register theirs before anything else is made.
std::map<const void *, Body> &kernels() {
  static std::map<const void *, Body> All;
  return All;
}
[[noreturn]] void fail(const char *What) {
  std::printf("the run time: %s\n", What);
  std::exit(1);
}
/// Variables of the GPU, by those of the host that stand for them.
std::map<const void *, void *> &variables() {
  static std::map<const void *, void *> All;
  return All;
}
void *variable(const void *Host) {
  auto Known = variables().find(Host);
  if (Known == variables().end() || !Known->second)
    fail("no such variable");
  return Known->second;
}
std::map<char *, size_t> Blocks;
unsigned long Launches, AllThreads, Streamed;
#ifdef EMULATED
constexpr size_t Far = 0;
#else
constexpr size_t Far = size_t(1) << 62; // No address that a processor takes.
#endif

bool isFar(const void *P) { return size_t(P) & Far; }
char *near(const void *P) { return (char *)(size_t(P) & ~Far); }

/// Where the bytes are.
char *memory(const void *P, size_t Bytes, bool OnGpu) {
  if (Far && isFar(P) != OnGpu)
    fail(OnGpu ? "this is memory of the host" : "this is memory of the GPU");
  if (!OnGpu)
    return (char *)P;
  auto After = Blocks.upper_bound(near(P));
  if (After == Blocks.begin())
    fail("no such memory");
  --After;
  if (near(P) + Bytes > After->first + After->second)
    fail("beyond a block of memory");
  return near(P);
}

int allocate(void **P, size_t Bytes) {
  char *New = (char *)std::malloc(Bytes ? Bytes : 1);
  std::memset(New, 0x7f, Bytes); // Large numbers.
  Blocks[New] = Bytes;
  *P = (void *)(size_t(New) | Far);
  return 0;
}
int release(void *P) {
  if (!P)
    return 0;
  if ((Far && !isFar(P)) || !Blocks.erase(near(P)))
    fail("memory is released that is not there");
  std::free(near(P));
  return 0;
}
int copy(void *To, const void *From, size_t Bytes, int Kind) {
  if (Kind < 0 || Kind > 4)
    fail("no such kind of copy");
  bool ToGpu = Kind == 4 ? isFar(To) : Kind == 1 || Kind == 3, FromGpu = Kind == 4 ? isFar(From) : Kind >= 2;
  std::memmove(memory(To, Bytes, ToGpu), memory(From, Bytes, FromGpu), Bytes);
  return 0;
}
int push(Size Grid, Size Block, size_t Bytes, void *Stream) {
  Pushed.push_back({Grid, Block, Bytes, Stream});
  return 0;
}
int pop(Size *Grid, Size *Block, size_t *Bytes, void **Stream) {
  if (Pushed.empty())
    fail("a launch without a configuration");
  Launch L = Pushed.back();
  Pushed.pop_back();
  *Grid = L.Grid, *Block = L.Block, *Bytes = L.Bytes, *Stream = L.Stream;
  return 0;
}
int launch(const void *Kernel, Size Grid, Size Block, void **Arguments, size_t Bytes, void *Stream) {
  auto Known = kernels().find(Kernel);
  if (Known == kernels().end())
    fail("no such kernel");
  if (Grid.Y != 1 || Grid.Z != 1 || Block.Y != 1 || Block.Z != 1)
    fail("more dimensions than one");
  Threads All{Grid.X, Block.X, Bytes};
  ++Launches;
  AllThreads += All.Blocks * All.OfBlock;
  Streamed += Stream != nullptr;
#ifdef EMULATED
  gpu::run(Grid.X, Block.X, [&] { reinterpret_cast<void (*)(void **)>(Known->second)(Arguments); });
#else
  Known->second(All, Arguments);
#endif
  return 0;
}
} // namespace

extern "C" {
void beKernel(const void *Kernel, Body Does) { kernels()[Kernel] = Does; }
unsigned long launchesSoFar() { return Launches; }
unsigned long threadsSoFar() { return AllThreads; }
unsigned long streamedSoFar() { return Streamed; }
long blocksOfMemory() { return Blocks.size(); }
/// For bodies of kernels, which run on the GPU.
void *onGpu(const void *P, size_t Bytes) { return memory(P, Bytes, true); }

#define RUNTIME(PREFIX)                                                                                               \
  unsigned __##PREFIX##PushCallConfiguration(Size Grid, Size Block, size_t Bytes, void *Stream) {                     \
    return push(Grid, Block, Bytes, Stream);                                                                          \
  }                                                                                                                   \
  int __##PREFIX##PopCallConfiguration(Size *Grid, Size *Block, size_t *Bytes, void **Stream) {                       \
    return pop(Grid, Block, Bytes, Stream);                                                                           \
  }                                                                                                                   \
  int PREFIX##LaunchKernel(const void *Kernel, Size Grid, Size Block, void **Arguments, size_t Bytes, void *Stream) { \
    return launch(Kernel, Grid, Block, Arguments, Bytes, Stream);                                                     \
  }                                                                                                                   \
  int PREFIX##Malloc(void **P, size_t Bytes) { return allocate(P, Bytes); }                                           \
  int PREFIX##Free(void *P) { return release(P); }                                                                    \
  int PREFIX##Memcpy(void *To, const void *From, size_t Bytes, int Kind) { return copy(To, From, Bytes, Kind); }      \
  int PREFIX##MemcpyToSymbol(const void *To, const void *From, size_t Bytes, size_t At, int) {                        \
    std::memcpy((char *)variable(To) + At, From, Bytes);                                                              \
    return 0;                                                                                                         \
  }                                                                                                                   \
  int PREFIX##MemcpyFromSymbol(void *To, const void *From, size_t Bytes, size_t At, int) {                            \
    std::memcpy(To, (char *)variable(From) + At, Bytes);                                                              \
    return 0;                                                                                                         \
  }                                                                                                                   \
  int PREFIX##MemcpyAsync(void *To, const void *From, size_t Bytes, int Kind, void *) {                               \
    return copy(To, From, Bytes, Kind);                                                                               \
  }                                                                                                                   \
  int PREFIX##Memset(void *P, int Value, size_t Bytes) {                                                              \
    std::memset(memory(P, Bytes, true), Value, Bytes);                                                                \
    return 0;                                                                                                         \
  }                                                                                                                   \
  int PREFIX##MemsetAsync(void *P, int Value, size_t Bytes, void *) { return PREFIX##Memset(P, Value, Bytes); }       \
  int PREFIX##DeviceSynchronize() { return 0; }                                                                       \
  int PREFIX##StreamSynchronize(void *) { return 0; }                                                                 \
  int PREFIX##StreamCreate(void **Stream) { return *Stream = std::malloc(1), 0; }                                     \
  int PREFIX##StreamDestroy(void *Stream) { return std::free(Stream), 0; }                                            \
  int PREFIX##EventCreate(void **Event) { return *Event = nullptr, 0; }                                               \
  int PREFIX##EventRecord(void *, void *) { return 0; }                                                               \
  int PREFIX##EventElapsedTime(float *Time, void *, void *) { return *Time = 1, 0; }                                  \
  int PREFIX##GetLastError() { return 0; }                                                                            \
  const char *PREFIX##GetErrorString(int) { return "no error"; }
RUNTIME(cuda)
RUNTIME(hip)

// The host's half registers its kernels and variables, and asks for their code.
static void *NoCode;
static void *emulated([[maybe_unused]] const char *Prefix, [[maybe_unused]] const char *Name) {
#ifdef EMULATED
  return dlsym(RTLD_DEFAULT, (std::string(Prefix) + Name).c_str());
#else
  return nullptr;
#endif
}
#define REGISTRATION(PREFIX)                                                                                          \
  void **__##PREFIX##RegisterFatBinary(const void *) { return &NoCode; }                                              \
  void __##PREFIX##RegisterFatBinaryEnd(void **) {}                                                                   \
  void __##PREFIX##UnregisterFatBinary(void **) {}                                                                    \
  void __##PREFIX##RegisterFunction(void **, const void *Stub, char *, const char *Name, unsigned, void *, void *,    \
                                    void *, void *, int *) {                                                          \
    if (void *Kernel = emulated("gpu_kernel_", Name))                                                                 \
      kernels()[Stub] = reinterpret_cast<Body>(Kernel);                                                               \
  }                                                                                                                   \
  void __##PREFIX##RegisterVar(void **, char *Host, char *, const char *Name, int, size_t, int, int) {                \
    variables()[Host] = emulated("", Name);                                                                           \
  }
REGISTRATION(cuda)
REGISTRATION(hip)
}
