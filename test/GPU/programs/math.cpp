// Functions of the machine's library, double and float; the derivative needs others than the program.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

template <class T> __device__ T all(T x) {
  T sum = sin(x) * exp(-x) + log(x + T(2)) * tanh(x);
  sum += erf(x) + sqrt(x * x + T(1)) * rsqrt(x + T(3)) + cos(x);
  return sum + erfcinv(T(0.5) + x / T(10));
}

__device__ double more(double x) { return pow(x, 1.5) * atan2(x, 0.7) + __builtin_fabs(x - 2) + __builtin_fmax(x, 1.0); }
__device__ double all_d(double x) { return all(x) + more(x); }
__device__ float all_f(float x) { return all(x); }

KERNEL values(const double *x, double *y) { y[globalX()] = all_d(x[globalX()]); }
KERNEL slopes(const double *x, double *dx) {
  dx[globalX()] = __enzyme_autodiff<double>((void *)all_d, x[globalX()]);
}
KERNEL values_f(const float *x, float *y) { y[globalX()] = all_f(x[globalX()]); }
KERNEL slopes_f(const float *x, float *dx) {
  dx[globalX()] = __enzyme_fwddiff<float>((void *)all_f, x[globalX()], 1.0f);
}

#else

KERNEL values(const double *x, double *y);
KERNEL slopes(const double *x, double *dx);
KERNEL values_f(const float *x, float *y);
KERNEL slopes_f(const float *x, float *dx);

template <class T> void check(void (*Values)(const T *, T *), void (*Slopes)(const T *, T *), double Step,
                              double Tolerance) {
  const int n = 16;
  std::vector<T> x(n), dx(n), y(n);
  for (int i = 0; i < n; ++i)
    x[i] = T(0.3 + 0.13 * i);
  gpu::launch(Slopes, 4, 4, x.data(), dx.data());
  gpu::expectGradient<T>("dx", x, dx, [&] {
    gpu::launch(Values, 4, 4, x.data(), y.data());
    double sum = 0;
    for (T each : y)
      sum += each;
    return sum;
  }, Step, Tolerance);
}

int main() {
  check<double>(values, slopes, 1e-6, 1e-7);
  check<float>(values_f, slopes_f, 2e-2, 3e-3);
}

#endif
