// Nobody on the host looks at the arrays that are copied: what they hold is known from the kernels that they are passed
// to, of which one takes integers.
// RUN: %run_host_half %s
// RUN: not %preload%clangxx_bin -x cuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version -Xclang -target-sdk-version=12.9 -O1 -DUNKNOWN -I%S/../Inputs -fpass-plugin=%plugin -c %s -o /dev/null 2>&1 | FileCheck %s
#include "host-runtime.h"

extern "C" void *onGpu(const void *, size_t);

// y = x[order]
#ifdef UNKNOWN // A symbol of C does not tell.
#define KERNEL extern "C" __global__
// CHECK: error: cannot deduce what the memory that 'cudaMemcpy' copies holds: nothing in this function or its callers reads or writes it as numbers; say so by a call of __enzyme_double(pointer, bytes){{.*}} [IZ203]
#else
#define KERNEL __global__
#endif
KERNEL void gather(const double *x, const int *order, double *y, int n) {}
KERNEL void gatherReverse(const double *x, double *dx, const int *order, int *, double *y, double *dy, int n) {}
void *__enzyme_register_gradient_gather[] = {(void *)gather, (void *)gather, (void *)gatherReverse};

void twice(double *x, const int *order, double *y, double *z, int n) {
  gather<<<1, n>>>(x, order, y, n);
  gpuMemcpy(z, y, n * sizeof *y, DeviceToDevice);
  gpuMemcpy(x, z, n * sizeof *y, DeviceToDevice);
}
extern "C" void run(double *x, double *dx, int *order, double *y, double *dy, double *z, double *dz, int n) {
  __enzyme_autodiff<void>((void *)twice, enzyme_dup, x, dx, enzyme_const, order, enzyme_dup, y, dy, enzyme_dup, z, dz,
                          enzyme_const, n);
}

int main() {
  beKernel((void *)gather, [](const Threads &, void **a) {
    int n = argument<int>(a, 3), *order = (int *)onGpu(argument<int *>(a, 1), 4 * n);
    for (int i = 0; i < n; ++i)
      ((double *)onGpu(argument<double *>(a, 2), 8 * n))[i] = ((double *)onGpu(argument<double *>(a, 0), 8 * n))[order[i]];
  });
  beKernel((void *)gatherReverse, [](const Threads &, void **a) {
    int n = argument<int>(a, 6), *order = (int *)onGpu(argument<int *>(a, 2), 4 * n);
    double *dy = (double *)onGpu(argument<double *>(a, 5), 8 * n);
    for (int i = 0; i < n; ++i) {
      ((double *)onGpu(argument<double *>(a, 1), 8 * n))[order[i]] += dy[i];
      dy[i] = 0;
    }
  });
  const int n = 4;
  int order[n] = {2, 0, 2, 3}, *orderThere;
  double seeds[n] = {1, 10, 100, 1000}, dx[n], *arrays[6];
  gpuMalloc(&orderThere, sizeof order);
  gpuMemcpy(orderThere, order, sizeof order, HostToDevice);
  for (double *&p : arrays)
    gpuMalloc(&p, sizeof dx), gpuMemset(p, 0, sizeof dx);
  gpuMemcpy(arrays[1], seeds, sizeof seeds, HostToDevice);
  run(arrays[0], arrays[1], orderThere, arrays[2], arrays[3], arrays[4], arrays[5], n);
  gpuMemcpy(dx, arrays[1], sizeof dx, DeviceToHost);
  const double wanted[n] = {10, 0, 101, 1000};
  for (int i = 0; i < n; ++i)
    expectNear("dx", dx[i], wanted[i]);
}
