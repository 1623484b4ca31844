// The forward and the reverse sweep in two kernels: what each thread keeps lies in the memory for tapes, and the first
// kernel leaves its address for the second one.
//
// RUN: %run_kernels %s
#include "derive.h"
#include "tape.h"

#ifndef EMULATED

extern __device__ int enzyme_tape, enzyme_allocated;

/// Steps of a number that depends on the thread, each overwritten in memory.
__device__ double orbit(const double *x, double *state, int i, int n) {
  double v = x[i];
  for (int k = 0; k < n + i % 3; ++k) {
    v = sin(v) + 0.5 * state[i] * v;
    state[i] = cos(v * v) - 0.25 * state[i];
  }
  return v * state[i];
}
__device__ void *__enzyme_augmentfwd_orbit(void *, int &, const double *, double *, int &, double *, double *, int &,
                                           int, int &, int);
__device__ void __enzyme_reverse_orbit(void *, int &, const double *, double *, int &, double *, double *, int &, int,
                                       int &, int, double, void *);

__device__ int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }
KERNEL values(const double *x, double *state, double *y, int n) {
  int i = globalThread();
  y[i] = orbit(x, state, i, n);
}
KERNEL forward(const double *x, double *dx, double *state, double *dstate, void **tapes, int n) {
  int i = globalThread();
  tapes[i] = __enzyme_augmentfwd_orbit((void *)orbit, enzyme_dup, x, dx, enzyme_dup, state, dstate, enzyme_const, i,
                                       enzyme_const, n);
}
KERNEL backward(const double *x, double *dx, double *state, double *dstate, const double *dy, void **tapes, int n) {
  int i = globalThread();
  __enzyme_reverse_orbit((void *)orbit, enzyme_dup, x, dx, enzyme_dup, state, dstate, enzyme_const, i, enzyme_const, n,
                         dy[i], tapes[i]);
}

#else

KERNEL values(const double *x, double *state, double *y, int n);
KERNEL forward(const double *x, double *dx, double *state, double *dstate, void **tapes, int n);
KERNEL backward(const double *x, double *dx, double *state, double *dstate, const double *dy, void **tapes, int n);

int main() {
  const int n = 32, steps = 20;
  const std::vector<double> start = gpu::wave(n, 1.3), w = gpu::wave(n, 0.6);
  std::vector<double> x = gpu::wave(n, 0.4), dx(n), state = start, dstate(n), y(n);
  std::vector<void *> tapes(n);
  auto first = [&] {
    state = start;
    gpu::launch(forward, 2, n / 2, x.data(), dx.data(), state.data(), dstate.data(), tapes.data(), steps);
  };
  size_t bytes = gpu::tapeBytes(forward, 2, n / 2, x.data(), dx.data(), state.data(), dstate.data(), tapes.data(), steps);
  gpu::launchWithLess(bytes, first);
  gpu::launchWithTape(bytes, first);
  std::fill(state.begin(), state.end(), 99.); // Nothing of it is read again.
  gpu::launch(backward, 2, n / 2, x.data(), dx.data(), state.data(), dstate.data(), w.data(), tapes.data(), steps);
  std::vector<double> from = start;
  auto value = [&] {
    state = from;
    gpu::launch(values, 2, n / 2, x.data(), state.data(), y.data(), steps);
    return gpu::dot(y, w);
  };
  gpu::expectGradient<double>("dx", x, dx, value, 1e-6, 1e-6);
  gpu::expectGradient<double>("dstate", from, dstate, value, 1e-6, 1e-6);
}

#endif
