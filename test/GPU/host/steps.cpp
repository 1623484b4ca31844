// The host launches kernels, and is differentiated: the kernels have registered derivatives, which run on the same grid.
// RUN: %run_host_half %s
#include "host-runtime.h"

__global__ void scaled(const double *x, double *y, double by, int n) {}
__global__ void scaledReverse(const double *x, double *dx, double *y, double *dy, double by, int n) {}
__global__ void scaledForward(const double *x, double *dx, double *y, double *dy, double by, double dby, int n) {}
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)scaled, (void *)scaledReverse};
void *__enzyme_register_derivative_scaled[] = {(void *)scaled, (void *)scaledForward};

__global__ void squared(const double *x, double *y, int n) {}
__global__ void squaredReverse(const double *x, double *dx, double *y, double *dy, int n) {}
void *__enzyme_register_gradient_squared[] = {(void *)squared, (void *)squared, (void *)squaredReverse};

/// y = (3x)^2, on two grids.
void model(const double *x, double *t, double *y, int n) {
  scaled<<<(n + 3) / 4, 4>>>(x, t, 3, n);
  for (int i = 0; i < 2; ++i)
    if (i)
      squared<<<dim3((n + 7) / 8), 8, 64>>>(t, y, n);
}

// The fake run time's view of the kernels.
extern "C" void *onGpu(const void *, size_t);
static double *numbers(void **arguments, int i, int n) { return (double *)onGpu(argument<double *>(arguments, i), 8 * n); }

int main() {
  beKernel((void *)scaled, [](const Threads &t, void **a) {
    int n = argument<int>(a, 3);
    for (size_t i = 0; i < t.all() && i < n; ++i)
      numbers(a, 1, n)[i] = argument<double>(a, 2) * numbers(a, 0, n)[i];
  });
  beKernel((void *)scaledReverse, [](const Threads &t, void **a) {
    int n = argument<int>(a, 5);
    for (size_t i = 0; i < t.all() && i < n; ++i) {
      numbers(a, 1, n)[i] += argument<double>(a, 4) * numbers(a, 3, n)[i];
      numbers(a, 3, n)[i] = 0;
    }
  });
  beKernel((void *)squared, [](const Threads &t, void **a) {
    int n = argument<int>(a, 2);
    if (t.bytes != 64)
      exit(2);
    for (size_t i = 0; i < t.all() && i < n; ++i)
      numbers(a, 1, n)[i] = numbers(a, 0, n)[i] * numbers(a, 0, n)[i];
  });
  beKernel((void *)squaredReverse, [](const Threads &t, void **a) {
    int n = argument<int>(a, 4);
    if (t.bytes != 64)
      exit(2);
    for (size_t i = 0; i < t.all() && i < n; ++i) {
      numbers(a, 1, n)[i] += 2 * numbers(a, 0, n)[i] * numbers(a, 3, n)[i];
      numbers(a, 3, n)[i] = 0;
    }
  });
  const int n = 10;
  double x[n], zeros[n] = {}, ones[n], y[n], dx[n], *memory[6];
  for (int i = 0; i < n; ++i)
    x[i] = i - 3.5, ones[i] = 1;
  for (double *&m : memory)
    gpuMalloc(&m, sizeof x), gpuMemcpy(m, zeros, sizeof x, HostToDevice);
  gpuMemcpy(memory[0], x, sizeof x, HostToDevice);
  gpuMemcpy(memory[5], ones, sizeof x, HostToDevice);
  __enzyme_autodiff<void>((void *)model, enzyme_dup, memory[0], memory[1], enzyme_dup, memory[2], memory[3], enzyme_dup,
                          memory[4], memory[5], enzyme_const, n);
  gpuMemcpy(y, memory[4], sizeof x, DeviceToHost);
  gpuMemcpy(dx, memory[1], sizeof x, DeviceToHost);
  for (int i = 0; i < n; ++i) {
    expectNear("y", y[i], 9 * x[i] * x[i]);
    expectNear("dx", dx[i], 18 * x[i]);
  }
  expectNear("launches", launchesSoFar(), 4);
  expectNear("threads", threadsSoFar(), 2 * (12 + 16));
}
