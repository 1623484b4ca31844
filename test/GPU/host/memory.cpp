// Memory of the GPU is allocated, filled, copied and released in differentiated functions of the host: shadows lie on
// the GPU, too, and adjoints are carried back by copies in the other direction.
// RUN: %run_host_half %s
#include "host-runtime.h"

extern "C" void *onGpu(const void *, size_t);
template <class T> static T *elements(void **arguments, int i, int n) {
  return (T *)onGpu(argument<T *>(arguments, i), sizeof(T) * n);
}

// y += x * x
template <class T> __global__ void squares(const T *x, T *y, int n) {}
template <class T> __global__ void squaresReverse(const T *x, T *dx, T *y, T *dy, int n) {}
void *__enzyme_register_gradient_double[] = {(void *)squares<double>, (void *)squares<double>,
                                             (void *)squaresReverse<double>};
void *__enzyme_register_gradient_float[] = {(void *)squares<float>, (void *)squares<float>,
                                            (void *)squaresReverse<float>};
template <class T> __global__ void squaresForward(const T *x, T *dx, T *y, T *dy, int n) {}
void *__enzyme_register_derivative_double[] = {(void *)squares<double>, (void *)squaresForward<double>};
void *__enzyme_register_derivative_float[] = {(void *)squares<float>, (void *)squaresForward<float>};

template <class T> void define() {
  beKernel((void *)squares<T>, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 2); i < n; ++i)
      elements<T>(a, 1, n)[i] += elements<T>(a, 0, n)[i] * elements<T>(a, 0, n)[i];
  });
  beKernel((void *)squaresReverse<T>, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 4); i < n; ++i)
      if (argument<T *>(a, 1)) // None where x is constant.
        elements<T>(a, 1, n)[i] += 2 * elements<T>(a, 0, n)[i] * elements<T>(a, 3, n)[i];
  });
  beKernel((void *)squaresForward<T>, [](const Threads &, void **a) {
    for (int i = 0, n = argument<int>(a, 4); i < n; ++i) {
      T *x = elements<T>(a, 0, n), *y = elements<T>(a, 2, n);
      elements<T>(a, 3, n)[i] += 2 * x[i] * elements<T>(a, 1, n)[i];
      y[i] += x[i] * x[i];
    }
  });
}

/// (x, 1)^2 + (y, 1)^2, by way of two arrays of the GPU that hold both in turn.
template <class T> T norm(const T *x, const T *y, int n) {
  T *input, *copy, *sums, result = 0;
  size_t bytes = n * sizeof(T);
  if (gpuMalloc(&input, bytes) || gpuMalloc(&copy, bytes))
    return -1;
  gpuMalloc(&sums, bytes);
  gpuMemset(sums, 0, bytes);
  T *host = (T *)malloc(bytes);
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < n; ++i)
      host[i] = k ? y[i] : x[i];
    gpuMemcpy(input, host, bytes, HostToDevice);
    T *own;
    gpuMalloc(&own, bytes); // Of this iteration, for the reverse finds it as it was.
    gpuMemcpyAsync(own, input, bytes, k ? EitherWay : DeviceToDevice, nullptr);
    squares<<<2, n / 2>>>((const T *)own, sums, n);
    gpuFree(own);
  }
  gpuMemcpy(copy, sums, bytes, DeviceToDevice);
  if (gpuError error = gpuMemcpy(host, copy, bytes, DeviceToHost))
    printf("%s\n", gpuGetErrorString(error));
  gpuDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    result += host[i];
  free(host);
  gpuFree(input);
  gpuFree(copy);
  gpuFree(sums);
  return result;
}

template <class T> void check(double tolerance) {
  define<T>();
  const int n = 6;
  T x[n], y[n], dx[n] = {}, dy[n] = {};
  for (int i = 0; i < n; ++i)
    x[i] = 0.5 * i - 1, y[i] = 2 - 0.25 * i;
  __enzyme_autodiff<void>((void *)norm<T>, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    expectNear("dx", dx[i], 2 * x[i], tolerance);
    expectNear("dy", dy[i], 2 * y[i], tolerance);
  }
  expectNear("memory", blocksOfMemory(), 0);
  T only[n] = {}, slope = 0;
  __enzyme_autodiff<void>((void *)norm<T>, enzyme_dup, x, only, enzyme_const, y, enzyme_const, n);
  for (int i = 0; i < n; ++i)
    expectNear("dx, with constant y", only[i], 2 * x[i], tolerance), slope += 2 * x[i] * dy[i] + 2 * y[i] * only[i];
  expectNear("slope", __enzyme_fwddiff<T>((void *)norm<T>, enzyme_dup, x, dy, enzyme_dup, y, dx, enzyme_const, n), slope,
             tolerance);
  expectNear("memory", blocksOfMemory(), 0);
}

int main() {
  check<double>(1e-12);
  check<float>(1e-5);
}
