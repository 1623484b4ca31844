// What derivatives cannot do on a GPU yet is an error that says why, at all levels.
// RUN: %python %S/Inputs/expect-errors.py %s --clang=%clangxx_bin --plugin=%plugin
#include "device.h"

#ifdef BLOCK_ALONE // error: 'part' of the block holds differentiated data, and the threads do not wait
__shared__ double part[32];
__device__ void f(const double *x, double *y) {
  int i = threadX();
  part[i] = x[i] * x[i];
  y[i] = x[i] * part[31 - i];
}
#endif

#ifdef ARRIVE // error: threads of a block wait for each other here
__device__ void f(const double *x, double *y) {
  y[threadX()] = x[0] * x[0];
  asm volatile("bar.arrive 1, 64;" ::: "memory");
  y[threadX() + 1] = x[0] * y[threadX()];
}
#endif

#ifdef WAITS_AND_IS_INACTIVE // error: threads wait for each other, or hand memory on, in 'meet()'
__shared__ double part[32];
__device__ __attribute__((noinline)) void meet() { waitForBlock(); }
__device__ void *__enzyme_inactivefn_meet = (void *)meet;
__device__ void f(const double *x, double *y) {
  part[threadX()] = x[threadX()] * x[0];
  waitForBlock();
  y[threadX()] = part[31 - threadX()] * x[1];
  meet();
  part[threadX()] = x[threadX()] * y[0];
  waitForBlock();
  y[threadX()] = part[threadX()] * x[2];
}
#endif

#ifdef FENCE // error: threads hand memory to each other here
__device__ void f(const double *x, double *y) {
  y[threadX()] = x[0] * x[0];
  __nvvm_membar_gl();
  y[threadX() + 1] = x[0] * y[threadX()];
}
#endif

#ifdef FENCE_IN_ASSEMBLY // error: threads hand memory to each other here
__device__ void f(const double *x, double *y) {
  y[threadX()] = x[0] * x[0];
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  y[threadX() + 1] = x[0] * y[threadX()];
}
#endif

#ifdef ASSEMBLY_OF_HALVES // error: inline assembly
__device__ void f(const double *x, double *y) {
  unsigned short h = ((const unsigned short *)x)[threadX()];
  asm("tanh.approx.f16 %0, %1;" : "=h"(h) : "h"(h));
  ((unsigned short *)y)[threadX()] = h;
}
#endif

#ifdef LOOP // error: the gradient would keep a value once per iteration of this loop (8 bytes *
__device__ void f(const double *x, double *y) {
  double v = x[0];
  for (int i = 0; i < (int)x[1]; ++i)
    v = sin(v) * v;
  y[0] = v;
}
#endif

#ifdef READ_AGAIN // error: the gradient would keep what is read into a value once per iteration of this loop (8 bytes *
__device__ void f(const double *x, double *y) {
  for (int i = threadX(); i < (int)x[1]; i += blockSizeX())
    y[i] = sin(x[i]) * x[i];
}
#endif

#ifdef RECURSION // error: the gradient of a function that calls itself allocates its tape
__device__ double product(double x, int n) { return n < 1 ? 1 : x * product(x * 0.9, n - 1); }
__device__ void f(const double *x, double *y) { y[threadX()] = product(x[threadX()], (int)x[2]); }
#endif

#ifdef DEVICE_VARIABLE // error: 'state' holds differentiated data
__device__ double state[64];
__device__ void f(const double *x, double *y) {
  int i = threadX();
  state[i] = x[i] * x[i];
  y[i] = sin(state[63 - i]);
}
#endif

#ifdef HEAP // error: the derivative allocates memory beside this
extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);
__device__ void f(const double *x, double *y) {
  double *p = (double *)malloc(8 * (int)x[1]);
  for (int i = 0; i < (int)x[1]; ++i)
    p[i] = x[0] * i;
  y[0] = p[(int)x[2]] * p[1];
  free(p);
}
#endif

#ifdef HALF_OF_A_DOUBLE // error: no derivative is known for the intrinsic 'llvm.nvvm.shfl.sync.down.i32'
__device__ void f(const double *x, double *y) {
  double v = x[threadX()] * x[threadX()];
  long long bits = __builtin_bit_cast(long long, v);
  unsigned low = __nvvm_shfl_sync_down_i32(-1, (int)bits, 1, 31);
  bits = (bits & ~0xffffffffll) | low;
  y[threadX()] = v * __builtin_bit_cast(double, bits);
}
#endif

#ifdef EXCHANGE // error: no derivative is known for the atomic 'xchg' on differentiated memory
__device__ void f(double *x, double *y) {
  long old = __scoped_atomic_exchange_n((long *)x, 0L, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  y[0] = __builtin_bit_cast(double, old) * x[1];
}
#endif

#ifdef UNALIGNED // error: several threads may add to a number that is not aligned to its size at once
struct __attribute__((packed)) Odd {
  char kind;
  double value;
};
__device__ void f(const double *x, double *y) { y[0] = ((const Odd *)x)->value * 2; }
#endif

#ifdef OLD_VALUE // error: the old value of an atomic addition is used
__device__ void f(double *x, double *y) { y[threadX()] = atomicAdd(x, x[threadX() + 1]) * 2; }
#endif

#ifdef LARGEST_WITHOUT_BARRIER // error: whose value an atomic maximum or minimum has left is not known in the
             // reverse sweep: the threads of the block do not wait
__shared__ float largest[2];
__device__ void f(const double *x, double *y) {
  largest[0] = 0;
  waitForBlock();
  __scoped_atomic_fetch_max(&largest[0], float(x[threadX()] * x[0]), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  y[threadX()] = largest[0] * x[threadX()];
}
#endif

#ifdef LARGEST_OF_EACH_ROUND // error: whose value an atomic maximum or minimum has left is not known in the
             // reverse sweep: the place may be written to again
__shared__ float largest;
__device__ void f(const double *x, double *y) {
  for (int k = 0; k < 3; ++k) {
    largest = 0;
    waitForBlock();
    __scoped_atomic_fetch_max(&largest, float(x[threadX()] * x[k]), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    waitForBlock();
    y[threadX()] += largest * x[threadX()];
    waitForBlock();
  }
}
#endif

#ifdef LARGEST_SO_FAR // error: whose value an atomic maximum or minimum has left is not known in the
             // reverse sweep: the place is read before the last value comes
__shared__ float largest;
__device__ void f(const double *x, double *y) {
  largest = 0;
  waitForBlock();
  for (int k = 0; k < 3; ++k) {
    __scoped_atomic_fetch_max(&largest, float(x[threadX()] * x[k]), __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
    waitForBlock();
    y[threadX()] += largest * x[threadX()];
    waitForBlock();
  }
}
#endif

#ifdef LARGEST_IF_LARGER // error: whose value an atomic maximum or minimum has left is not known in the
             // reverse sweep: a thread that finds the result there may leave
__device__ void f(const double *x, double *y) {
  if (double v = x[threadX()] * x[0]; *y < v)
    __scoped_atomic_fetch_max(y, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
#endif

#ifdef OLD_LARGEST // error: the old value of an atomic maximum or minimum is used
__device__ void f(const double *x, double *y) {
  y[threadX() + 1] = x[1] * __scoped_atomic_fetch_max(y, x[threadX()], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
#endif

#ifdef LARGEST_FORWARD // error: no derivative is known for the atomic 'fmax' on differentiated memory
__device__ void f(const double *x, double *y) {
  __scoped_atomic_fetch_max(y, x[threadX()] * x[0], __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
#define CALL __enzyme_fwddiff<void>((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy)
#endif

#ifdef SHUFFLED_TWICE // error: no derivative is known for the intrinsic 'llvm.nvvm.shfl.sync.idx.i32'
__device__ double g(const double *x) {
  struct {
    int low, high;
  } bits;
  double v = x[threadX()], w = v * v;
  __builtin_memcpy(&bits, &w, 8);
  bits.low = __nvvm_shfl_sync_down_i32(-1, bits.low, 1, 31);
  bits.high = __nvvm_shfl_sync_down_i32(-1, bits.high, 1, 31);
  __builtin_memcpy(&w, &bits, 8);
  return v * w;
}
__device__ void f(const double *x, double *dx) { __enzyme_autodiff<void>((void *)g, enzyme_dup, x, dx); }
#endif

#ifdef HALVES // error: a tape is handed from one call to another, in memory that is allocated
__device__ void f(const double *x, double *y) { y[threadX()] = x[threadX()] * x[0]; }
__device__ void *__enzyme_augmentfwd(void *, int &, double *, double *, int &, double *, double *);
#define CALL __enzyme_augmentfwd((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy)
#endif

#ifdef OTHER_HALF // error: a tape is handed from one call to another, in memory that is allocated
__device__ void f(const double *x, double *y) { y[threadX()] = x[threadX()] * x[0]; }
__device__ void __enzyme_reverse(void *, int &, double *, double *, int &, double *, double *,
                                 void *);
#define CALL __enzyme_reverse((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, *(void **)dy)
#endif

#ifdef FORWARD_FROM_TAPE // error: a tape is handed from one call to another in forward mode
__device__ void f(const double *x, double *y) { y[threadX()] = x[threadX()] * x[0]; }
__device__ void __enzyme_fwdsplit(void *, int &, double *, double *, int &, double *, double *,
                                  void *);
#define CALL __enzyme_fwdsplit((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, *(void **)dy)
#endif

#ifdef HALVES_IN_BLOCK // error: a tape is handed from one call to another, and memory of the block is not
struct DeviceTape {
  void *memory;
  unsigned long long bytes, used;
};
extern "C" __device__ DeviceTape isozyme_tape;
__device__ DeviceTape isozyme_tape;
__shared__ double part[32];
__device__ void f(const double *x, double *y) {
  part[threadX()] = x[threadX()] * x[0];
  waitForBlock();
  y[threadX()] = part[31 - threadX()] * x[1];
}
__device__ void *__enzyme_augmentfwd(void *, int &, double *, double *, int &, double *, double *);
#define CALL __enzyme_augmentfwd((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy)
#endif

#ifdef SIZE_OF_TAPE // error: a tape is handed from one call to another
__device__ void f(const double *x, double *y) { y[threadX()] = x[threadX()] * x[0]; }
__device__ size_t __enzyme_augmentsize(void *, int &, int &);
#define CALL ((int *)y)[0] = __enzyme_augmentsize((void *)f, enzyme_dup, enzyme_dup)
#endif

#ifdef EXCHANGE_IN_BLOCK // error: no derivative is known for the atomic 'xchg' on differentiated
                         // memory
__shared__ float last;
__device__ void f(const double *x, double *y) {
  float v = x[threadX()] * x[0];
  __scoped_atomic_exchange_n((int *)&last, __builtin_bit_cast(int, v), __ATOMIC_RELAXED,
                             __MEMORY_SCOPE_WRKGRP);
  waitForBlock();
  y[threadX()] = last * x[1];
}
#endif

#ifdef LAUNCH_SIZED // error: 'sized', whose size the launch says, would need more than one shadow
extern __shared__ double sized[];
__device__ void f(const double *x, double *y) {
  int i = threadX();
  sized[i] = x[i] * x[i];
  waitForBlock();
  y[i] = x[i] * sized[31 - i];
}
extern __device__ int enzyme_width;
__device__ void __enzyme_fwddiff(void *, int &, int, int &, double *, double *, double *, int &, double *, double *,
                                 double *);
#define CALL __enzyme_fwddiff((void *)f, enzyme_width, 2, enzyme_dup, x, dx, dx + 32, enzyme_dup, y, dy, dy + 32)
#endif

#ifndef CALL
#define CALL __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy)
#endif
KERNEL gradient(double *x, double *dx, double *y, double *dy) { CALL; }
