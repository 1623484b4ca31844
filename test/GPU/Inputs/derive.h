// Kernels of one shape, a thread of which computes y from x: DERIVE(f, T) makes those that call
// f(const T *x, T *y, int n), its gradient and its tangent, and the host compares them.
#ifndef ISOZYME_TEST_DERIVE_H
#define ISOZYME_TEST_DERIVE_H

#ifdef EMULATED

#include "emulator.h"
#define KERNEL extern "C" void
#define DERIVE(NAME, T)                                                                            \
  KERNEL NAME##Values(const T *x, T *y, int n);                                                    \
  KERNEL NAME##Gradients(const T *x, T *dx, T *y, T *dy, int n);                                   \
  KERNEL NAME##Tangents(const T *x, const T *dx, T *y, T *dy, int n);                              \
  static const Derived<T> NAME{#NAME, NAME##Values, NAME##Gradients, NAME##Tangents};

/// The three kernels of one function.
template <class T> struct Derived {
  const char *Name;
  void (*Values)(const T *, T *, int);
  void (*Gradients)(const T *, T *, T *, T *, int);
  void (*Tangents)(const T *, const T *, T *, T *, int);

  /// The gradient against differences at \p X, and the tangent against the gradient.
  void check(std::vector<T> X, size_t SizeY, gpu::Size Grid, gpu::Size Block, int N, double Step,
             double Tolerance) const {
    std::vector<T> W = gpu::wave<T>(SizeY, 0.6), DY = W, Y(SizeY), DX(X.size());
    gpu::launch(Gradients, Grid, Block, X.data(), DX.data(), Y.data(), DY.data(), N);
    gpu::expectGradient<T>(
        Name, X, DX,
        [&] {
          std::fill(Y.begin(), Y.end(), T(0));
          gpu::launch(Values, Grid, Block, X.data(), Y.data(), N);
          return gpu::dot(Y, W);
        },
        Step, Tolerance);
    std::vector<T> V = gpu::wave<T>(X.size(), 0.4);
    std::fill(Y.begin(), Y.end(), T(0));
    std::fill(DY.begin(), DY.end(), T(0));
    gpu::launch(Tangents, Grid, Block, X.data(), V.data(), Y.data(), DY.data(), N);
    gpu::expectNear(Name, -1, gpu::dot(DY, W), gpu::dot(DX, V), Tolerance);
  }
};

#else

#include "toolkit.h"
#define DERIVE(NAME, T)                                                                            \
  KERNEL NAME##Values(const T *x, T *y, int n) { NAME(x, y, n); }                                  \
  KERNEL NAME##Gradients(const T *x, T *dx, T *y, T *dy, int n) {                                  \
    __enzyme_autodiff<void>((void *)NAME, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);  \
  }                                                                                                \
  KERNEL NAME##Tangents(const T *x, const T *dx, T *y, T *dy, int n) {                             \
    __enzyme_fwddiff<void>((void *)NAME, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);   \
  }

extern __device__ int enzyme_dup, enzyme_const;
template <class R, class... A> __device__ R __enzyme_autodiff(void *, A...);
template <class R, class... A> __device__ R __enzyme_fwddiff(void *, A...);

#endif
#endif
