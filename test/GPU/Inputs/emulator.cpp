// The functions that gpu-emulate calls, and the libraries of mathematics of both machines.
#include "emulator.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ucontext.h>

namespace {
constexpr size_t StackBytes = 1 << 17;

struct Fiber {
  ucontext_t Context;
  std::unique_ptr<char[]> Stack{new char[StackBytes]};
  unsigned Thread, Exchanges = 0, Handed[2];
  bool Waits = false, IsDone = false, HasLeft = false; ///< The last: by an instruction of its own.
};

ucontext_t Scheduler;
Fiber *Now;
unsigned Block, BlockSize, GridSize;
const std::function<void()> *Body;
std::vector<Fiber> *Threads;

void runFiber() {
  (*Body)();
  Now->IsDone = true;
  swapcontext(&Now->Context, &Scheduler);
}

[[noreturn]] void fail(const char *What) {
  std::printf("%s\n", What);
  std::exit(1);
}

/// What the lane \p From of the warp hands on, when each of its lanes that has not ended hands on a \p Value. All
/// lanes exchange, or none does.
unsigned exchange(unsigned Value, unsigned From, unsigned Lanes) {
  unsigned Round = ++Now->Exchanges, First = Now->Thread / Lanes * Lanes;
  Now->Handed[Round % 2] = Value;
  auto isLate = [&](unsigned Lane) {
    return First + Lane < Threads->size() && !(*Threads)[First + Lane].IsDone &&
           (*Threads)[First + Lane].Exchanges < Round;
  };
  for (unsigned Lane = 0, Turns = 0; Lane < Lanes;) {
    if (!isLate(Lane)) {
      ++Lane;
      continue;
    }
    if (++Turns > 1000000)
      fail("lanes of a warp wait for others that do not come");
    Fiber *Me = Now;
    swapcontext(&Me->Context, &Scheduler);
  }
  return First + From < Threads->size() ? (*Threads)[First + From].Handed[Round % 2] : 0;
}

/// Each in turn, until all are done. Nobody may be done while others wait.
void runBlock(std::vector<Fiber> &Fibers) {
  for (bool All = false; !All;) {
    size_t Waiting = 0, Done = 0, Left = 0;
    for (Fiber &F : Fibers) {
      if (!F.IsDone && !F.Waits) {
        Now = &F;
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
void run(unsigned Grid, unsigned Size, const std::function<void()> &Thread) {
  GridSize = Grid;
  BlockSize = Size;
  Body = &Thread;
  for (Block = 0; Block < Grid; ++Block) {
    std::vector<Fiber> Fibers(Size);
    Threads = &Fibers;
    gpu_begin_block();
    for (unsigned I = 0; I < Size; ++I) {
      Fiber &F = Fibers[I];
      F.Thread = I;
      getcontext(&F.Context);
      F.Context.uc_stack.ss_sp = F.Stack.get();
      F.Context.uc_stack.ss_size = StackBytes;
      F.Context.uc_link = nullptr;
      makecontext(&F.Context, runFiber, 0);
    }
    runBlock(Fibers);
  }
}
} // namespace gpu

extern "C" {
unsigned gpu_thread(unsigned Dimension) { return Dimension ? 0 : Now->Thread; }
unsigned gpu_block(unsigned Dimension) { return Dimension ? 0 : Block; }
unsigned gpu_block_size(unsigned Dimension) { return Dimension ? 1 : BlockSize; }
unsigned gpu_grid_size(unsigned Dimension) { return Dimension ? 1 : GridSize; }
void gpu_yield() { swapcontext(&Now->Context, &Scheduler); }
void gpu_end_thread() {
  Now->IsDone = Now->HasLeft = true;
  swapcontext(&Now->Context, &Scheduler);
}
void gpu_barrier() {
  Now->Waits = true;
  swapcontext(&Now->Context, &Scheduler);
}
/// Lanes of NVIDIA's warps are told by how far away the other is; those of AMD's by its number.
#define SHUFFLE(NAME, OTHER)                                                                       \
  unsigned gpu_nvvm_shfl_sync_##NAME##_i32(unsigned, unsigned v, unsigned by, unsigned) {          \
    unsigned lane = Now->Thread % 32, other = OTHER;                                               \
    return exchange(v, other < 32 ? other : lane, 32);                                             \
  }
SHUFFLE(bfly, lane ^ by)
SHUFFLE(down, lane + by)
SHUFFLE(up, lane - by)
SHUFFLE(idx, by)
unsigned gpu_amdgcn_ds_bpermute(unsigned byte, unsigned v) { return exchange(v, byte / 4 % 64, 64); }
unsigned gpu_amdgcn_mbcnt_lo(unsigned, unsigned n) { return n + std::min(Now->Thread % 64, 32u); }
unsigned gpu_amdgcn_mbcnt_hi(unsigned, unsigned n) {
  return n + (Now->Thread % 64 > 32 ? Now->Thread % 64 - 32 : 0);
}
bool gpu_is_local(const char *P) {
  return P >= Now->Stack.get() && P < Now->Stack.get() + StackBytes;
}
/// What AMD's kernels find behind their arguments: blocks, then threads of a block.
const void *gpu_implicit_arguments() {
  static struct {
    uint32_t Blocks[3];
    uint16_t Threads[3];
  } Sizes;
  Sizes = {{GridSize, 1, 1}, {uint16_t(BlockSize), 1, 1}};
  return &Sizes;
}

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
  double __ocml_##NAME##_f64(double x, double y) { return std::NAME(x, y); }

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
MATH_2(pow)
MATH_2(atan2)
}
