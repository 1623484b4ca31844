// The functions that gpu-emulate calls, and the libraries of mathematics of both machines.
#include "emulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

// ThreadSanitizer is told of the threads, and of where they wait for each other; that they take turns orders nothing.
#ifdef WATCH_RACES
#include <sanitizer/tsan_interface.h>
#define FOR_SANITIZER(WHAT) WHAT
#else
#define FOR_SANITIZER(WHAT)
#endif

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

namespace {
constexpr size_t StackBytes = 1 << 17;

/// Where addresses have four bytes, as gpu-emulate stores those of AMD's locals.
struct FiberStack {
  char *Begin = (char *)mmap(nullptr, StackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  FiberStack() {
    if (Begin == MAP_FAILED)
      std::abort();
  }
  ~FiberStack() { munmap(Begin, StackBytes); }
  FiberStack(const FiberStack &) = delete;
};

struct Fiber {
  ucontext_t Context;
  void *Known = nullptr; ///< To the sanitizer.
  FiberStack Stack;
  unsigned Thread, Value = 0, Got[64] = {};
  uint64_t Mask = 0, Here = 0;
  const void *Site = nullptr; ///< Where it asks who is there, too.
  bool HandsOn = false, Waits = false, IsDone = false, HasLeft = false; ///< The last: by an instruction of its own.
};

struct NamedBarrier {
  unsigned Came = 0, Rounds = 0;
} Barriers[16];

ucontext_t Scheduler;
void *KnownScheduler;
Fiber *Now;
unsigned Block;
gpu::Size BlockSize, GridSize;
const std::function<void()> *Body;
std::vector<Fiber> *Threads;

/// Lets the others go on.
void giveTurn() {
  FOR_SANITIZER(__tsan_switch_to_fiber(KnownScheduler, __tsan_switch_to_fiber_no_sync);)
  swapcontext(&Now->Context, &Scheduler);
}

/// All that a thread has done before it says so comes before what others do when they have heard it.
char MeetingPoint;
void tellOthers() { FOR_SANITIZER(__tsan_release(&MeetingPoint);) }
void hearOthers() { FOR_SANITIZER(__tsan_acquire(&MeetingPoint);) }

void runFiber() {
  hearOthers();
  (*Body)();
  Now->IsDone = true;
  tellOthers();
  giveTurn();
}

[[noreturn]] void fail(const char *What) {
  std::printf("%s\n", What);
  std::exit(1);
}

/// What the threads of a warp hand on at one place. All that are in the mask, and have not ended, come
/// there, each with the same mask.
const unsigned *exchange(unsigned Value, uint64_t Mask, unsigned Lanes) {
  Fiber *Me = Now;
  unsigned First = Me->Thread / Lanes * Lanes;
  Me->Value = Value;
  Me->Mask = Mask;
  Me->HandsOn = true;
  auto isLate = [&](unsigned Lane) {
    if (!(Mask >> Lane & 1) || First + Lane >= Threads->size())
      return false;
    const Fiber &Other = (*Threads)[First + Lane];
    return !Other.IsDone && !(Other.HandsOn && Other.Mask == Mask);
  };
  unsigned Turns = 0;
  for (unsigned Lane = 0; Me->HandsOn && Lane < Lanes;) {
    if (!isLate(Lane)) {
      ++Lane;
      continue;
    }
    if (++Turns > 1000000)
      fail("lanes of a warp wait for others that do not come");
    giveTurn();
  }
  if (!Me->HandsOn) // Another one was the last to come.
    return Me->Got;
  unsigned All[64] = {};
  uint64_t Here = 0;
  auto forEach = [&](auto Do) {
    for (unsigned Lane = 0; Lane < Lanes && First + Lane < Threads->size(); ++Lane)
      if (Fiber &F = (*Threads)[First + Lane]; F.HandsOn && F.Mask == Mask)
        Do(Lane, F);
  };
  forEach([&](unsigned Lane, Fiber &F) { All[Lane] = F.Value, Here |= uint64_t(1) << Lane; });
  forEach([&](unsigned, Fiber &F) {
    for (unsigned Lane = 0; Lane < 64; ++Lane) // The sanitizer would take memcpy for a write by this thread.
      F.Got[Lane] = static_cast<volatile unsigned &>(All[Lane]);
    F.Here = Here;
    F.HandsOn = false;
  });
  return Me->Got;
}

/// Which threads of a warp ask at \p Site together: those that come while the others are held elsewhere.
/// Warps of this machine do not stay together for good: now and then they come in two parts.
unsigned together(const void *Site, unsigned Lanes) {
  static unsigned Times = 0;
  Fiber *Me = Now;
  unsigned First = Me->Thread / Lanes * Lanes, Count = std::min<size_t>(Lanes, Threads->size() - First);
  auto isLate = [&](unsigned Lane) {
    const Fiber &Other = (*Threads)[First + Lane];
    return !Other.IsDone && !Other.HandsOn && !Other.Waits && !Other.Site;
  };
  Me->Site = Site;
  unsigned Turns = 0;
  for (unsigned Lane = 0; Me->Site && Lane < Count;)
    if (!isLate(Lane) || Turns > 1000)
      ++Lane;
    else
      ++Turns, giveTurn();
  if (!Me->Site)
    return Me->Here;
  const uint64_t Low = (uint64_t(1) << Lanes / 2) - 1;
  uint64_t Here = 0;
  for (unsigned Lane = 0; Lane < Count; ++Lane)
    Here |= uint64_t((*Threads)[First + Lane].Site == Site) << Lane;
  bool IsSplit = ++Times % 5 == 0;
  for (unsigned Lane = 0; Lane < Count; ++Lane)
    if (Fiber &F = (*Threads)[First + Lane]; F.Site == Site) {
      F.Here = !IsSplit ? Here : Lane < Lanes / 2 ? Here & Low : Here & ~Low;
      F.Site = nullptr;
    }
  return Me->Here;
}

/// Each in turn, until all are done. Nobody may be done while others wait.
void runBlock(std::vector<Fiber> &Fibers) {
  for (bool All = false; !All;) {
    size_t Waiting = 0, Done = 0, Left = 0;
    for (Fiber &F : Fibers) {
      if (!F.IsDone && !F.Waits) {
        Now = &F;
        FOR_SANITIZER(__tsan_switch_to_fiber(F.Known, __tsan_switch_to_fiber_no_sync);)
        swapcontext(&Scheduler, &F.Context);
      }
      Waiting += F.Waits;
      Done += F.IsDone;
      Left += F.HasLeft;
    }
    if (Waiting && Waiting + Done == Fibers.size()) {
      if (Done > Left)
        fail("threads wait for others that have ended");
      for (Fiber &F : Fibers)
        F.Waits = false;
    }
    All = Done == Fibers.size();
  }
}
} // namespace

extern "C" void gpu_begin_block();

namespace gpu {
void run(Size Grid, Size OfBlock, const std::function<void()> &Thread) {
  GridSize = Grid;
  BlockSize = OfBlock;
  const unsigned Count = OfBlock.all();
  Body = &Thread;
  for (Block = 0; Block < Grid.all(); ++Block) {
    std::vector<Fiber> Fibers(Count);
    Threads = &Fibers;
    FOR_SANITIZER(KnownScheduler = __tsan_get_current_fiber();)
    gpu_begin_block();
    tellOthers();
    for (unsigned I = 0; I < Count; ++I) {
      Fiber &F = Fibers[I];
      FOR_SANITIZER(F.Known = __tsan_create_fiber(__tsan_switch_to_fiber_no_sync);)
      F.Thread = I;
      getcontext(&F.Context);
      F.Context.uc_stack.ss_sp = F.Stack.Begin;
      F.Context.uc_stack.ss_size = StackBytes;
      F.Context.uc_link = nullptr;
      makecontext(&F.Context, runFiber, 0);
    }
    runBlock(Fibers);
    hearOthers();
    FOR_SANITIZER(for (Fiber &F : Fibers) __tsan_destroy_fiber(F.Known);)
  }
}
} // namespace gpu

extern "C" {
unsigned gpu_thread(unsigned Dimension) { return BlockSize.place(Now->Thread, Dimension); }
unsigned gpu_block(unsigned Dimension) { return GridSize.place(Block, Dimension); }
unsigned gpu_block_size(unsigned Dimension) { return BlockSize[Dimension]; }
unsigned gpu_grid_size(unsigned Dimension) { return GridSize[Dimension]; }
void gpu_yield() { giveTurn(); }
void gpu_count_addition() { ++gpu::atomicAdditions; }
void gpu_end_thread() {
  Now->IsDone = Now->HasLeft = true;
  tellOthers();
  giveTurn();
}
void gpu_barrier() {
  Now->Waits = true;
  tellOthers();
  giveTurn();
  hearOthers();
}
/// A lane whose number is out of its segment gets its own value; one that is not there leaves anything.
#define SHUFFLE(NAME, OTHER, IS_OUTSIDE)                                                           \
  unsigned gpu_nvvm_shfl_sync_##NAME##_i32(unsigned mask, unsigned v, int by, unsigned clamp) {    \
    int lane = Now->Thread % 32, segment = clamp >> 8 & 31, limit = (lane & segment) | (clamp & 31 & ~segment); \
    by &= 31;                                                                                      \
    int other = OTHER;                                                                             \
    const unsigned *got = exchange(v, mask, 32);                                                   \
    if (IS_OUTSIDE)                                                                                \
      return v;                                                                                    \
    return Now->Here >> other & 1 ? got[other] : 0x47c12345;                                       \
  }                                                                                                \
  float gpu_nvvm_shfl_sync_##NAME##_f32(unsigned mask, float v, int by, unsigned clamp) {          \
    unsigned bits;                                                                                 \
    std::memcpy(&bits, &v, 4);                                                                     \
    bits = gpu_nvvm_shfl_sync_##NAME##_i32(mask, bits, by, clamp);                                 \
    std::memcpy(&v, &bits, 4);                                                                     \
    return v;                                                                                      \
  }
SHUFFLE(bfly, lane ^ by, other > limit)
SHUFFLE(down, lane + by, other > limit)
SHUFFLE(up, lane - by, other < limit)
SHUFFLE(idx, (lane & segment) | (by & ~segment), other > limit)
unsigned gpu_nvvm_activemask() { return together(__builtin_return_address(0), 32); }
unsigned gpu_nvvm_vote_ballot_sync(unsigned mask, bool is) {
  const unsigned *got = exchange(is, mask, 32);
  unsigned all = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    all |= got[lane] << lane;
  return all;
}
bool gpu_nvvm_vote_any_sync(unsigned mask, bool is) { return gpu_nvvm_vote_ballot_sync(mask, is) != 0; }
bool gpu_nvvm_vote_all_sync(unsigned mask, bool is) { return gpu_nvvm_vote_ballot_sync(mask, !is) == 0; }
/// In two registers, as LLVM returns { i32, i1 }.
struct MatchAll {
  uint64_t Lanes, Same;
};
MatchAll gpu_nvvm_match_all_sync_i64p(unsigned mask, uint64_t v) {
  uint64_t of[64];
  for (unsigned lane = 0, half = 0; half < 2; lane = 0, ++half)
    for (const unsigned *got = exchange(unsigned(v >> 32 * half), mask, 32); lane < 32; ++lane)
      of[lane] = half ? of[lane] | uint64_t(got[lane]) << 32 : got[lane];
  bool same = true;
  for (unsigned lane = 0; lane < 32; ++lane)
    same &= !(Now->Here >> lane & 1) || of[lane] == v;
  return {same ? mask : 0, same};
}
unsigned gpu_nvvm_match_any_sync_i32(unsigned mask, unsigned v) {
  const unsigned *got = exchange(v, mask, 32);
  unsigned same = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    same |= unsigned((Now->Here >> lane & 1) && got[lane] == v) << lane;
  return same;
}
void gpu_nvvm_bar_warp_sync(unsigned mask) {
  tellOthers();
  exchange(0, mask, 32);
  hearOthers();
}
void gpu_amdgcn_wave_barrier() {
  tellOthers();
  exchange(0, -1, 64);
  hearOthers();
}
void gpu_nvvm_membar_gl() {}
/// Of a block, by its number: each time as many come as it is for, they go on.
void gpu_barrier_of(unsigned number, unsigned threads) {
  NamedBarrier &B = Barriers[number % 16];
  tellOthers();
  unsigned round = B.Rounds;
  if (++B.Came == threads) {
    B.Came = 0;
    ++B.Rounds;
  }
  for (unsigned turns = 0; B.Rounds == round; ++turns) {
    if (turns > 1000000)
      fail("threads wait at a barrier for others that do not come");
    giveTurn();
  }
  hearOthers();
}
unsigned gpu_nvvm_read_ptx_sreg_laneid() { return Now->Thread % 32; }
unsigned gpu_amdgcn_ds_bpermute(unsigned byte, unsigned v) {
  unsigned other = byte / 4 % 64;
  const unsigned *got = exchange(v, -1, 64);
  return Now->Here >> other & 1 ? got[other] : 0;
}
uint64_t gpu_amdgcn_ballot_i64(bool is) {
  const unsigned *got = exchange(is, -1, 64);
  uint64_t all = 0;
  for (unsigned lane = 0; lane < 64; ++lane)
    all |= uint64_t(got[lane]) << lane;
  return all;
}
unsigned gpu_amdgcn_mbcnt_lo(unsigned, unsigned n) { return n + std::min(Now->Thread % 64, 32u); }
unsigned gpu_amdgcn_mbcnt_hi(unsigned, unsigned n) {
  return n + (Now->Thread % 64 > 32 ? Now->Thread % 64 - 32 : 0);
}
bool gpu_is_local(const char *P) {
  return P >= Now->Stack.Begin && P < Now->Stack.Begin + StackBytes;
}
/// What AMD's kernels find behind their arguments: blocks, then threads of a block.
const void *gpu_implicit_arguments() {
  static struct {
    uint32_t Blocks[3];
    uint16_t Threads[3];
    char Others[102];
    uint32_t LaunchBytes;
  } Sizes;
  static_assert(offsetof(decltype(Sizes), LaunchBytes) == 120);
  Sizes = {{GridSize[0], GridSize[1], 1},
           {uint16_t(BlockSize[0]), uint16_t(BlockSize[1]), 1},
           {},
           gpu::bytesOfLaunch};
  return &Sizes;
}
unsigned gpu_nvvm_read_ptx_sreg_dynamic_smem_size() { return gpu::bytesOfLaunch; }

#define MATH_1(NAME, EXPRESSION)                                                                   \
  double __nv_##NAME(double x) { return EXPRESSION; }                                              \
  double __ocml_##NAME##_f64(double x) { return EXPRESSION; }                                      \
  float __nv_##NAME##f(float f) {                                                                  \
    double x = f;                                                                                  \
    return EXPRESSION;                                                                             \
  }                                                                                                \
  float __ocml_##NAME##_f32(float f) {                                                             \
    double x = f;                                                                                  \
    return EXPRESSION;                                                                             \
  }
#define MATH_2(NAME)                                                                               \
  double __nv_##NAME(double x, double y) { return std::NAME(x, y); }                               \
  double __ocml_##NAME##_f64(double x, double y) { return std::NAME(x, y); }                       \
  float __nv_##NAME##f(float x, float y) { return std::NAME(x, y); }                               \
  float __ocml_##NAME##_f32(float x, float y) { return std::NAME(x, y); }

/// By Newton's method.
static double inverseOfErfc(double y) {
  double x = 0;
  for (int I = 0; I < 60; ++I)
    x += (std::erfc(x) - y) / (2 / std::sqrt(M_PI) * std::exp(-x * x));
  return x;
}
MATH_1(sin, std::sin(x))
MATH_1(cos, std::cos(x))
MATH_1(exp, std::exp(x))
MATH_1(log, std::log(x))
MATH_1(tanh, std::tanh(x))
MATH_1(cosh, std::cosh(x))
MATH_1(erf, std::erf(x))
MATH_1(sqrt, std::sqrt(x))
MATH_1(rsqrt, 1 / std::sqrt(x))
MATH_1(erfcinv, inverseOfErfc(x))
MATH_1(erfc, std::erfc(x))
MATH_1(cbrt, std::cbrt(x))
MATH_1(floor, std::floor(x))
MATH_1(fabs, std::fabs(x))
MATH_2(pow)
MATH_2(atan2)
MATH_2(fmax)
MATH_2(fmin)
MATH_1(sinpi, std::sin(M_PI *x))
MATH_1(cospi, std::cos(M_PI *x))

#define AMD_1(NAME, EXPRESSION)                                                                    \
  double gpu_amdgcn_##NAME##_f64(double x) { return EXPRESSION; }                                  \
  float gpu_amdgcn_##NAME##_f32(float f) {                                                         \
    double x = f;                                                                                  \
    return EXPRESSION;                                                                             \
  }
AMD_1(fract, x - std::floor(x))
AMD_1(sin, std::sin(2 * M_PI * x))
AMD_1(cos, std::cos(2 * M_PI * x))
static double mantissa(double x) {
  int Exponent;
  return std::frexp(x, &Exponent);
}
AMD_1(frexp_mant, mantissa(x))
float gpu_amdgcn_fmed3_f32(float x, float y, float z) {
  return std::max(std::min(x, y), std::min(std::max(x, y), z));
}
}
