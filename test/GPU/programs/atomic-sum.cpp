// A kernel that adds to one number, as what is differentiated: many threads, one result, a grid-stride
// loop around the derivative, and a shadow that all threads read.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

struct Particle {
  float position[3];
  float charge;
};

__device__ void potential(const Particle *p, const float *scale, double *sum, int i, int j) {
  Particle a = p[i], b = p[j];
  float r = 0.1f;
  for (int k = 0; k < 3; ++k) {
    float d = a.position[k] - b.position[k];
    r += d * d;
  }
  atomicAdd(sum, double(*scale * a.charge * b.charge * rsqrt(r)));
}

KERNEL values(const Particle *p, const float *scale, double *sum, int n) {
  for (int i = globalX(); i < n * n; i += blockSizeX() * gridSizeX())
    if (i / n < i % n)
      potential(p, scale, sum, i / n, i % n);
}

KERNEL gradients(const Particle *p, Particle *dp, const float *scale, float *dscale, double *sum, double *dsum,
                 int n) {
  for (int i = globalX(); i < n * n; i += blockSizeX() * gridSizeX())
    if (i / n < i % n)
      __enzyme_autodiff<void>((void *)potential, enzyme_dup, p, dp, enzyme_dup, scale, dscale, enzyme_dup, sum,
                              dsum, enzyme_const, i / n, enzyme_const, i % n);
}

#else

struct Particle;
KERNEL values(const float *p, const float *scale, double *sum, int n);
KERNEL gradients(const float *p, float *dp, const float *scale, float *dscale, double *sum, double *dsum, int n);

int main() {
  const int n = 9;
  std::vector<float> p(4 * n), dp(4 * n), scale{1.5f}, dscale(1);
  double sum = 0, dsum = 1;
  for (int i = 0; i < 4 * n; ++i)
    p[i] = std::sin(2.3 * i);
  gpu::launch(gradients, 3, 8, p.data(), dp.data(), scale.data(), dscale.data(), &sum, &dsum, n);
  auto value = [&] {
    double total = 0;
    gpu::launch(values, 3, 8, p.data(), scale.data(), &total, n);
    return total;
  };
  gpu::expectNear("sum", 0, sum, value(), 1e-12);
  gpu::expectGradient<float>("dp", p, dp, value, 2e-3, 1e-3);
  gpu::expectGradient<float>("dscale", scale, dscale, value, 1e-2, 1e-4);
}

#endif
