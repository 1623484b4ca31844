// In two halves, and where exceptions may pass and locals be destroyed around launches.
// RUN: %run_host_half %s
#include "host-runtime.h"

extern "C" void *onGpu(const void *, size_t);
static double *numbers(void **arguments, int i) { return (double *)onGpu(argument<double *>(arguments, i), 32); }

__global__ void squares(const double *x, double *y) {}
__global__ void squaresReverse(const double *x, double *dx, double *y, double *dy) {}
void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)squares, (void *)squaresReverse};

int destroyed;
struct Local {
  ~Local() { ++destroyed; }
};

double sum(const double *x, int n) {
  double *from, *to, result[4];
  gpuMalloc(&from, n * sizeof *x);
  gpuMalloc(&to, n * sizeof *x);
  gpuMemcpy(from, x, n * sizeof *x, HostToDevice);
  {
    Local l;
    squares<<<1, n>>>(from, to);
  }
  gpuMemcpy(result, to, n * sizeof *x, DeviceToHost);
  gpuFree(from);
  gpuFree(to);
  return result[0] + 10 * result[1];
}
double guarded(const double *x, int n) {
  Local l;
  return sum(x, n) + (x[0] > 1e9 ? throw 3 : 0);
}

template <class... A> void *__enzyme_augmentfwd(void *, A...);
template <class... A> void __enzyme_reverse(void *, A...);

int main() {
  beKernel((void *)squares, [](const Threads &, void **a) {
    for (int i = 0; i < 4; ++i)
      numbers(a, 1)[i] = numbers(a, 0)[i] * numbers(a, 0)[i];
  });
  beKernel((void *)squaresReverse, [](const Threads &, void **a) {
    for (int i = 0; i < 4; ++i) {
      numbers(a, 1)[i] += 2 * numbers(a, 0)[i] * numbers(a, 3)[i];
      numbers(a, 3)[i] = 0;
    }
  });
  double x[4] = {1, 2, 3, 4}, dx[4] = {};
  void *tape = __enzyme_augmentfwd((void *)guarded, enzyme_dup, x, dx, enzyme_const, 4);
  __enzyme_reverse((void *)guarded, enzyme_dup, x, dx, enzyme_const, 4, 1.0, tape);
  expectNear("dx", dx[0], 2);
  expectNear("dx", dx[1], 40);
  expectNear("memory", blocksOfMemory(), 0);
  __enzyme_autodiff<void>((void *)guarded, enzyme_dup, x, dx, enzyme_const, 4);
  expectNear("dx", dx[0], 4);
  expectNear("dx", dx[1], 80);
  expectNear("dx", dx[3], 0);
  expectNear("memory", blocksOfMemory(), 0);
  expectNear("destroyed", destroyed, 4);
}
