// Functions that are called, and not inlined, in differentiated code; structures by value and by copy;
// an array that is updated in place; several directions at once.
// RUN: %run_kernels %s
#include "device.h"

struct State {
  double place[3], speed[3];
};

#ifndef EMULATED

__device__ __attribute__((noinline)) double pull(const State *s, const double *mass, int axis) {
  const double *p = s->place;
  double distance = 0.3 + p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  return -mass[0] * p[axis] / (distance * sqrt(distance));
}

__device__ void step(State *all, const double *mass, double dt, int i) {
  State now = all[i];
  double force[3];
  for (int j = 0; j < 3; ++j)
    force[j] = pull(&now, mass, j);
  for (int j = 0; j < 3; ++j) {
    now.speed[j] += dt * force[j];
    now.place[j] += dt * now.speed[j];
  }
  all[i] = now;
}

KERNEL values(State *all, const double *mass, double dt, int n) {
  int i = globalX();
  if (i < n)
    step(all, mass, dt, i);
}

KERNEL gradients(State *all, State *dall, const double *mass, double *dmass, double dt, int n) {
  int i = globalX();
  if (i < n)
    __enzyme_autodiff<void>((void *)step, enzyme_dup, all, dall, enzyme_dup, mass, dmass, enzyme_const, dt,
                            enzyme_const, i);
}

#else

KERNEL values(State *all, const double *mass, double dt, int n);
KERNEL gradients(State *all, State *dall, const double *mass, double *dmass, double dt, int n);

int main() {
  const int n = 5;
  std::vector<double> x(6 * n), w(6 * n), mass{1.7}, dmass(1);
  for (int i = 0; i < 6 * n; ++i)
    x[i] = std::sin(1.1 * i), w[i] = std::cos(0.7 * i);
  auto value = [&] {
    std::vector<double> now = x;
    gpu::launch(values, 1, 8, (State *)now.data(), mass.data(), 0.2, n);
    double sum = 0;
    for (int i = 0; i < 6 * n; ++i)
      sum += w[i] * now[i];
    return sum;
  };
  std::vector<double> now = x, dx = w;
  gpu::launch(gradients, 1, 8, (State *)now.data(), (State *)dx.data(), mass.data(), dmass.data(), 0.2, n);
  gpu::expectGradient<double>("dx", x, dx, value);
  gpu::expectGradient<double>("dmass", mass, dmass, value);
}

#endif
