// Integer atomics choose where a thread writes; the gradient goes back to the same place. Loops of constant
// length in each other; a loop of unknown length whose values follow from its counter.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__device__ void collect(const float *__restrict__ x, float *__restrict__ out, int *used, int n, int i) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += x[k] * cos(x[i] * (k + 1));
  float state[2] = {x[i], 1};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 2; ++b)
      state[b] = sin(state[b] + state[1 - b] * x[i]);
  if (x[i] > 0)
    out[__scoped_atomic_fetch_add(used, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)] = sum * state[0] + state[1];
}

KERNEL values(const float *x, float *out, int *used, int n) {
  int i = globalX();
  if (i < n)
    collect(x, out, used, n, i);
}

KERNEL gradients(const float *x, float *dx, float *out, float *dout, int *used, int n) {
  int i = globalX();
  if (i < n)
    __enzyme_autodiff<void>((void *)collect, enzyme_dup, x, dx, enzyme_dup, out, dout, enzyme_const, used,
                            enzyme_const, n, enzyme_const, i);
}

#else

KERNEL values(const float *x, float *out, int *used, int n);
KERNEL gradients(const float *x, float *dx, float *out, float *dout, int *used, int n);

int main() {
  const int n = 13;
  std::vector<float> x(n), dx(n), out(n), dout(n, 1);
  for (int i = 0; i < n; ++i)
    x[i] = std::sin(1.9 * i + 0.4);
  auto value = [&] {
    int used = 0;
    gpu::launch(values, 2, 8, x.data(), out.data(), &used, n);
    double sum = 0;
    for (int i = 0; i < used; ++i)
      sum += out[i];
    return sum;
  };
  int used = 0;
  gpu::launch(gradients, 2, 8, x.data(), dx.data(), out.data(), dout.data(), &used, n);
  gpu::expectGradient<float>("dx", x, dx, value, 4e-3, 4e-3);
  for (int i = 0; i < used; ++i)
    gpu::expectNear("dout", i, dout[i], 0, 0);
}

#endif
