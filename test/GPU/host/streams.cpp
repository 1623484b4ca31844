// Launches in loops, on streams, with events and errors looked at; a kernel without derivatives; forward mode; a kernel
// that changes what it reads, whose registered functions of the host keep a copy.
// RUN: %run_host_half %s
#include "host-runtime.h"

extern "C" void *onGpu(const void *, size_t);
static double *numbers(void **arguments, int i, int n) { return (double *)onGpu(argument<double *>(arguments, i), 8 * n); }

// x = by * x * x, in place.
__global__ void square(double *x, double by, int n) {}
__global__ void squareReverse(const double *old, double *dx, double by, int n) {}
__global__ void squareForward(double *x, double *dx, double by, double dby, int n) {}
double *squareAugmented(double *x, double *, double by, int n) {
  double *old;
  gpuMalloc(&old, n * sizeof *x);
  gpuMemcpy(old, x, n * sizeof *x, DeviceToDevice);
  square<<<(n + 3) / 4, 4>>>(x, by, n);
  return old;
}
double squareBackwards(double *, double *dx, double by, int n, double *old) {
  squareReverse<<<1, n>>>(old, dx, by, n);
  gpuFree(old);
  return 0; // Nobody asks.
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)squareAugmented, (void *)squareBackwards};
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)squareForward};

// x = 2x.
__global__ void twice(double *x, int n) {}
__global__ void twiceReverse(double *x, double *dx, int n) {}
__global__ void twiceForward(double *x, double *dx, int n) {}
void *__enzyme_register_gradient_twice[] = {(void *)twice, (void *)twice, (void *)twiceReverse};
void *__enzyme_register_derivative_twice[] = {(void *)twice, (void *)twiceForward};

__global__ void counted(int *count) {}
void *__enzyme_inactivefn_counted = (void *)counted;

float time;

void model(double *x, int *count, int n, int steps, gpuStream stream) {
  gpuEvent begin, end;
  gpuEventCreate(&begin);
  gpuEventCreate(&end);
  gpuEventRecord(begin, stream);
  for (int i = 0; i < steps; ++i) {
    square<<<(n + 3) / 4, 4>>>(x, 0.5, n);
    if (gpuError error = gpuGetLastError())
      printf("%s\n", gpuGetErrorString(error));
    counted<<<1, 1>>>(count);
    twice<<<n, 1, 0, stream>>>(x, n);
    gpuStreamSynchronize(stream);
  }
  gpuEventRecord(end, stream);
  gpuEventElapsedTime(&time, begin, end);
  gpuDeviceSynchronize();
}

void define() {
  beKernel((void *)square, [](const Threads &, void **a) {
    int n = argument<int>(a, 2);
    for (double *x = numbers(a, 0, n); n--; ++x)
      *x *= argument<double>(a, 1) * *x;
  });
  beKernel((void *)squareReverse, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 3); i < n; ++i)
      numbers(a, 1, n)[i] *= 2 * argument<double>(a, 2) * numbers(a, 0, n)[i];
  });
  beKernel((void *)squareForward, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 4); i < n; ++i) {
      double *x = numbers(a, 0, n) + i, *dx = numbers(a, 1, n) + i, by = argument<double>(a, 2);
      *dx *= 2 * by * *x;
      *dx += argument<double>(a, 3) * *x * *x;
      *x *= by * *x;
    }
  });
  beKernel((void *)twice, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 1); i < n; ++i)
      numbers(a, 0, n)[i] *= 2;
  });
  beKernel((void *)twiceReverse, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 2); i < n; ++i)
      numbers(a, 1, n)[i] *= 2;
  });
  beKernel((void *)twiceForward, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 2); i < n; ++i)
      numbers(a, 0, n)[i] *= 2, numbers(a, 1, n)[i] *= 2;
  });
  beKernel((void *)counted, [](const Threads &, void **a) { ++*(int *)onGpu(argument<int *>(a, 0), 4); });
}

int main() {
  define();
  const int n = 6, steps = 3;
  double x[n], dx[n], y[n], value[n], slope[n];
  int count = 0;
  double *memory, *shadow;
  int *counter;
  gpuStream stream;
  gpuStreamCreate(&stream);
  gpuMalloc(&memory, sizeof x);
  gpuMalloc(&shadow, sizeof x);
  gpuMalloc(&counter, 4);
  gpuMemcpy(counter, &count, 4, HostToDevice);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.3 * i - 0.7, dx[i] = 1 + i;
    value[i] = x[i], slope[i] = dx[i];
    for (int k = 0; k < steps; ++k)
      slope[i] *= 2 * value[i], value[i] *= value[i];
  }
  for (int forward = 0; forward < 2; ++forward) {
    gpuMemcpy(memory, x, sizeof x, HostToDevice);
    gpuMemcpy(shadow, dx, sizeof x, HostToDevice);
    if (forward)
      __enzyme_fwddiff<void>((void *)model, enzyme_dup, memory, shadow, enzyme_const, counter, enzyme_const, n,
                             enzyme_const, steps, enzyme_const, stream);
    else
      __enzyme_autodiff<void>((void *)model, enzyme_dup, memory, shadow, enzyme_const, counter, enzyme_const, n,
                              enzyme_const, steps, enzyme_const, stream);
    gpuMemcpy(y, memory, sizeof x, DeviceToHost);
    for (int i = 0; i < n; ++i)
      expectNear("y", y[i], value[i]);
    gpuMemcpy(y, shadow, sizeof x, DeviceToHost);
    for (int i = 0; i < n; ++i)
      expectNear("slope", y[i], slope[i]);
    gpuMemcpy(&count, counter, 4, DeviceToHost);
    expectNear("count", count, forward ? 2 * steps : steps);
    expectNear("on the stream", streamedSoFar(), forward ? 3 * steps : 2 * steps);
  }
  expectNear("memory", blocksOfMemory(), 3);
  expectNear("time", time, 1);
}
