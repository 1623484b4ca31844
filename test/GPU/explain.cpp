// How many atomic operations a launch of a gradient makes is told as a formula, and which lines make them.
// RUN: env COLUMNS=0 %clangxx -x hip --offload-arch=gfx90a --offload-device-only -nogpuinc -nogpulib -O2 -g -emit-llvm \
// RUN:   -I%S/Inputs -c -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
#include "toolkit.h"
extern __device__ int enzyme_dup, enzyme_const;
template <class... A> __device__ void __enzyme_autodiff(void *, A...);

__device__ void weighted(const double *__restrict__ x, const double *__restrict__ w, double *__restrict__ y, int n) {
  double sum = w[0];
  for (int i = 0; i < n; i++)
    sum += w[i] * x[i];
  y[threadIdx.x] = sum;
}

// CHECK: reverse of 'weighted'
// CHECK: atomic operations of a launch, at most: threads + warps that come together * (2 * n + 1)
// CHECK: sum += w[i] * x[i];
// CHECK: note: other threads may add to the shadow of 'w[{{.*}}]', too: the reverse sweep adds to it atomically, once for a warp that comes together
// CHECK: y[threadIdx.x] = sum;
// CHECK: note: other threads may use the same shadow: the reverse sweep takes from it atomically

KERNEL gradient(const double *x, double *dx, const double *w, double *dw, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_dup, w, dw, enzyme_dup, y, dy, enzyme_const, n);
}
