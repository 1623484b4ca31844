// A function with a registered derivative is called as such, although its body could be inlined: the derivative that
// is registered here is another one than that of the body.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

__device__ float cube(float v) { return v * v * v; }
__device__ float cubeAugmented(float v) { return cube(v); }
__device__ float cubeReverse(float v, float seed) { return seed * v + 100; }
__device__ void *__enzyme_register_gradient_cube[3] = {(void *)cube, (void *)cubeAugmented, (void *)cubeReverse};

__device__ void cubes(const float *x, float *y) { y[globalX()] = cube(x[globalX()]); }
KERNEL gradients(const float *x, float *dx, float *y, float *dy) {
  __enzyme_autodiff<void>((void *)cubes, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

#else

KERNEL gradients(const float *x, float *dx, float *y, float *dy);

int main() {
  const int n = 32;
  std::vector<float> x(n), dx(n), y(n), dy(n, 1);
  for (int i = 0; i < n; ++i)
    x[i] = i;
  gpu::launch(gradients, 1, n, x.data(), dx.data(), y.data(), dy.data());
  for (int i = 0; i < n; ++i)
    if (dx[i] != x[i] + 100 || y[i] != x[i] * x[i] * x[i]) {
      std::printf("dx[%d] is %g, y[%d] is %g\n", i, dx[i], i, y[i]);
      return 1;
    }
}
#endif
