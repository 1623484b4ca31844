// Variables of the GPU whose derivative is wanted: each has a shadow that the program names. That of a
// __constant__ variable is a __device__ variable, for constant memory cannot be written to.
// RUN: %run_kernels %s
#include "device.h"

struct Line {
  float slope;
  double bias[2];
};

#ifndef EMULATED

__constant__ double weights[3], others[3];
__constant__ Line line;
__device__ double table[4];

__device__ double dweights[3], dothers[3], dtable[4];
__device__ Line dline;
__device__ void *__enzyme_register_shadow_weights[2] = {weights, dweights};
__device__ void *__enzyme_register_shadow_others[2] = {others, dothers};
__device__ void *__enzyme_register_shadow_line[2] = {&line, &dline};
__device__ void *__enzyme_register_shadow_table[2] = {table, dtable};

__device__ double term(const double *x, int i) {
  double sum = line.bias[1];
  for (int k = 0; k < 3; ++k)
    sum += weights[k] * weights[0] * sin(x[i]) * table[(i + k) % 4];
  const double *chosen = i % 2 ? weights : table;
  const double *fixed = i % 3 ? weights : others;
  return sum * line.slope * x[i] + chosen[i % 3] * line.bias[i % 2] + fixed[(i + 1) % 3] * x[i];
}

KERNEL values(const double *x, double *out, int n) {
  int i = globalX();
  if (i < n)
    out[i] = term(x, i);
}

KERNEL gradients(const double *x, double *dx, int n) {
  int i = globalX();
  if (i < n)
    __enzyme_autodiff<void>((void *)term, enzyme_dup, x, dx, enzyme_const, i);
}

KERNEL directions(const double *x, const double *dx, double *dout, int n) {
  int i = globalX();
  if (i < n)
    dout[i] = __enzyme_fwddiff<double>((void *)term, enzyme_dup, x, dx, enzyme_const, i);
}

#else

extern double weights[3], dweights[3], others[3], dothers[3], table[4], dtable[4];
extern Line line, dline;
KERNEL values(const double *x, double *out, int n);
KERNEL gradients(const double *x, double *dx, int n);
KERNEL directions(const double *x, const double *dx, double *dout, int n);

int main() {
  const int n = 70;
  std::vector<double> x = gpu::wave(n, 0.7), dx(n), out(n);
  std::vector<double> w{0.3, -1.2, 0.7}, o{-0.9, 0.2, 1.4}, t{1.1, -0.4, 0.9, 0.6}, b{-0.8, 1.3};
  line.slope = 0.75;
  auto total = [&] {
    std::copy(w.begin(), w.end(), weights);
    std::copy(o.begin(), o.end(), others);
    std::copy(t.begin(), t.end(), table);
    std::copy(b.begin(), b.end(), line.bias);
    gpu::launch(values, 3, 32, x.data(), out.data(), n);
    double sum = 0;
    for (double each : out)
      sum += each;
    return sum;
  };
  total();
  gpu::launch(gradients, 3, 32, x.data(), dx.data(), n);
  gpu::expectGradient("dx", x, dx, total);
  gpu::expectGradient("dweights", w, {dweights, dweights + 3}, total);
  gpu::expectGradient("dothers", o, {dothers, dothers + 3}, total);
  gpu::expectGradient("dtable", t, {dtable, dtable + 4}, total);
  gpu::expectGradient("dbias", b, {dline.bias, dline.bias + 2}, total);
  float slope = line.slope;
  line.slope = slope + 0.125f;
  double above = total();
  line.slope = slope - 0.125f;
  gpu::expectNear("dslope", 0, dline.slope, (above - total()) / 0.25, 1e-6); // It is linear in the slope.
  line.slope = slope;
  total();

  // The gradient is the direction: what all threads say is the square of its length.
  std::vector<double> along(n);
  gpu::launch(directions, 3, 32, x.data(), dx.data(), along.data(), n);
  double wanted = gpu::dot(dx, dx) + double(dline.slope) * dline.slope, sum = 0;
  for (double each : dweights)
    wanted += each * each;
  for (double each : dothers)
    wanted += each * each;
  for (double each : dtable)
    wanted += each * each;
  for (double each : dline.bias)
    wanted += each * each;
  for (double each : along)
    sum += each;
  gpu::expectNear("along", 0, sum, wanted, 1e-9);
}

#endif
