// Threads of a warp hand floats and doubles to each other by every kind of shuffle, as the headers of CUDA and HIP
// write them: over the whole warp and over parts of it, in loops, with lanes that are not there, and among the lanes
// of a branch.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED
#include "warp.h"

template <class T> __device__ void reduce(const T *x, T *y) {
  T v = x[globalX()], sum = v * v;
  for (int by = 16; by; by /= 2)
    sum += shuffleDown(sum, by);
  y[globalX()] = threadX() == 0 ? sum * v : v; // The other warp is not full.
}

/// The sum of all before, in parts of 16; then the other way round, with each its own distance.
template <class T> __device__ void scan(const T *x, T *y) {
  T v = x[globalX()];
  for (int by = 1; by < 16; by *= 2) {
    T before = shuffleUp(v, by, 16);
    if (laneX() % 16 >= by)
      v += before * x[globalX()];
  }
  y[globalX()] = v * shuffle(v, 15 - laneX() % 16, 16) * shuffleXor(v, 3, 8);
}

/// A permutation that is none of these, one lane that all read, and one that is known only at run time.
template <class T> __device__ void gather(const T *x, const int *from, T *y) {
  T v = x[globalX()];
  T a = shuffle(v, laneX() * 5 % 32), b = shuffle(v * v, 7), c = shuffle(v, from[laneX() % 32]);
  y[globalX()] = a * b + c * c * v;
}

/// Half of the lanes.
template <class T> __device__ void half(const T *x, T *y) {
  T v = x[globalX()] * x[globalX()];
  if (laneX() % 32 < 16)
    v = shuffleXor(v, 1, 32, 0xffff) * shuffleDown(v, 2, 16, 0xffff);
  y[globalX()] = v;
}

#define KERNELS(NAME, T)                                                                                              \
  KERNEL reduceValues##NAME(const T *x, T *y) { reduce(x, y); }                                                       \
  KERNEL reduceGradients##NAME(const T *x, T *dx, T *y, T *dy) {                                                      \
    __enzyme_autodiff<void>((void *)reduce<T>, enzyme_dup, x, dx, enzyme_dup, y, dy);                                 \
  }                                                                                                                   \
  KERNEL scanValues##NAME(const T *x, T *y) { scan(x, y); }                                                           \
  KERNEL scanGradients##NAME(const T *x, T *dx, T *y, T *dy) {                                                        \
    __enzyme_autodiff<void>((void *)scan<T>, enzyme_dup, x, dx, enzyme_dup, y, dy);                                   \
  }                                                                                                                   \
  KERNEL halfValues##NAME(const T *x, T *y) { half(x, y); }                                                           \
  KERNEL halfGradients##NAME(const T *x, T *dx, T *y, T *dy) {                                                        \
    __enzyme_autodiff<void>((void *)half<T>, enzyme_dup, x, dx, enzyme_dup, y, dy);                                   \
  }                                                                                                                   \
  KERNEL gatherValues##NAME(const T *x, const int *from, T *y) { gather(x, from, y); }                                \
  KERNEL gatherGradients##NAME(const T *x, T *dx, const int *from, T *y, T *dy) {                                     \
    __enzyme_autodiff<void>((void *)gather<T>, enzyme_dup, x, dx, enzyme_const, from, enzyme_dup, y, dy);             \
  }                                                                                                                   \
  KERNEL scanTangents##NAME(const T *x, const T *dx, T *y, T *dy) {                                                   \
    __enzyme_fwddiff<void>((void *)scan<T>, enzyme_dup, x, dx, enzyme_dup, y, dy);                                    \
  }
KERNELS(Float, float)
KERNELS(Double, double)

#else

#define KERNELS(NAME, T)                                                                                              \
  KERNEL reduceValues##NAME(const T *x, T *y);                                                                        \
  KERNEL reduceGradients##NAME(const T *x, T *dx, T *y, T *dy);                                                       \
  KERNEL scanValues##NAME(const T *x, T *y);                                                                          \
  KERNEL scanGradients##NAME(const T *x, T *dx, T *y, T *dy);                                                         \
  KERNEL halfValues##NAME(const T *x, T *y);                                                                          \
  KERNEL halfGradients##NAME(const T *x, T *dx, T *y, T *dy);                                                         \
  KERNEL gatherValues##NAME(const T *x, const int *from, T *y);                                                       \
  KERNEL gatherGradients##NAME(const T *x, T *dx, const int *from, T *y, T *dy);                                      \
  KERNEL scanTangents##NAME(const T *x, const T *dx, T *y, T *dy);
KERNELS(Float, float)
KERNELS(Double, double)

const int block = 48, n = 2 * block; // The last warp of a block is not full.

template <class T, class Values, class Gradients>
std::vector<T> check(const char *what, Values values, Gradients gradients, double step, double tolerance) {
  std::vector<T> x(n), dx(n), y(n), w(n), dy(n);
  for (int i = 0; i < n; ++i)
    x[i] = 0.9 + 0.2 * std::sin(1.3 * i), w[i] = std::cos(0.6 * i);
  dy = w;
  gradients(x.data(), dx.data(), y.data(), dy.data());
  gpu::expectGradient<T>(what, x, dx, [&] {
    values(x.data(), y.data());
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += double(w[i]) * y[i];
    return sum;
  }, step, tolerance);
  return dx;
}

#define CHECK(NAME, T, STEP, TOLERANCE)                                                                               \
  {                                                                                                                   \
    auto run = [&](auto kernel) { return [=](auto... args) { gpu::launch(kernel, 2, block, args...); }; };            \
    check<T>("reduce " #NAME, run(reduceValues##NAME), run(reduceGradients##NAME), STEP, TOLERANCE);                  \
    std::vector<T> dx = check<T>("scan " #NAME, run(scanValues##NAME), run(scanGradients##NAME), STEP, TOLERANCE);    \
    check<T>("half " #NAME, run(halfValues##NAME), run(halfGradients##NAME), STEP, TOLERANCE);                        \
    check<T>("gather " #NAME,                                                                                         \
             [&](T *x, T *y) { gpu::launch(gatherValues##NAME, n / 32, 32, x, from, y); },                              \
             [&](T *x, T *dx, T *y, T *dy) { gpu::launch(gatherGradients##NAME, n / 32, 32, x, dx, from, y, dy); },     \
             STEP, TOLERANCE);                                                                                        \
    std::vector<T> x(n), v(n), y(n), dy(n);                                                                           \
    for (int i = 0; i < n; ++i)                                                                                       \
      x[i] = 0.9 + 0.2 * std::sin(1.3 * i), v[i] = std::sin(0.2 * i);                                                 \
    gpu::launch(scanTangents##NAME, 2, block, x.data(), v.data(), y.data(), dy.data());                               \
    double forward = 0, reverse = 0;                                                                                  \
    for (int i = 0; i < n; ++i)                                                                                       \
      forward += std::cos(0.6 * i) * dy[i], reverse += double(dx[i]) * v[i];                                          \
    gpu::expectNear("both modes " #NAME, 0, forward, reverse, TOLERANCE);                                             \
  }

int main() {
  int from[32];
  for (int i = 0; i < 32; ++i)
    from[i] = i * i % 11;
  CHECK(Float, float, 2e-3, 1e-2)
  CHECK(Double, double, 1e-6, 1e-7)
}

#endif
