// Threads that read their neighbours' numbers: in one, two and three dimensions, over the edge, at places that the data
// say, and at a distance that they say.
// RUN: %run_kernels %s
#include "derive.h"

#ifndef EMULATED

__device__ void line(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double left = x[i > 0 ? i - 1 : 0], right = x[i < n - 1 ? i + 1 : n - 1];
  y[i] = x[i] * (left - 2 * x[i] + right) + left * right;
}

/// Of rows of n; the edge stays as it is.
__device__ void plane(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  int at = j * n + i;
  if (i == 0 || j == 0 || i == n - 1 || j == n - 1) {
    y[at] = x[at] * x[at];
    return;
  }
  double flow = x[at - 1] + x[at + 1] + x[at - n] + x[at + n] - 4 * x[at];
  y[at] = x[at] + 0.1 * flow * (1 + x[at] * x[at]);
}

/// Seven points of a cube that is periodic.
__device__ void cube(const double *x, double *y, int n) {
  int all = blockIdx.x * blockDim.x + threadIdx.x;
  if (all >= n * n * n)
    return;
  int i = all % n, j = all / n % n, k = all / (n * n);
  auto at = [&](int a, int b, int c) { return x[((c + n) % n * n + (b + n) % n) * n + (a + n) % n]; };
  double sum = at(i - 1, j, k) * at(i + 1, j, k) + at(i, j - 1, k) * at(i, j + 1, k);
  y[all] = sum + sin(at(i, j, k - 1) * at(i, j, k + 1));
}

/// Between four points, as a texture would have it: the last two numbers of x move the picture.
__device__ void bilinear(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n)
    return;
  double u = i + x[n * n], v = j + x[n * n + 1];
  u = u < 0 ? 0 : u > n - 1 ? n - 1 : u;
  v = v < 0 ? 0 : v > n - 1 ? n - 1 : v;
  int a = u < n - 2 ? int(u) : n - 2, b = v < n - 2 ? int(v) : n - 2;
  double s = u - a, t = v - b;
  const double *p = x + b * n + a;
  y[j * n + i] = (1 - t) * ((1 - s) * p[0] + s * p[1]) + t * ((1 - s) * p[n] + s * p[n + 1]);
}

/// Upwind: where the number comes from depends on its sign.
__device__ void upwind(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1)
    return;
  double slope = x[i] > 0 ? x[i] - x[i - 1] : x[i + 1] - x[i];
  y[i] = x[i] - 0.2 * x[i] * slope;
}

#endif

DERIVE(line, double)
DERIVE(plane, double)
DERIVE(cube, double)
DERIVE(bilinear, double)
DERIVE(upwind, double)

#ifdef EMULATED
int main() {
  line.check(gpu::wave(70, 0.9), 70, 3, 32, 70, 1e-6, 1e-7);
  plane.check(gpu::wave(49, 0.9), 49, {2, 2}, {4, 4}, 7, 1e-6, 1e-7);
  cube.check(gpu::wave(64, 0.9), 64, 3, 32, 4, 1e-6, 1e-7);
  std::vector<double> picture = gpu::wave(38, 0.9);
  picture[36] = 0.3, picture[37] = -0.6;
  bilinear.check(picture, 36, {2, 2}, {4, 4}, 6, 1e-6, 1e-7);
  upwind.check(gpu::wave(50, 0.9), 50, 2, 32, 50, 1e-6, 1e-7);
}
#endif
