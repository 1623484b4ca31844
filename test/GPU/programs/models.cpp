// Kernels as models have them: an element with tables in constant memory and early returns, poles with a generator of
// random numbers and a choice among cases, bins in shared memory, a softmax by shuffles, vectors in memory, Newton's
// method, and a product with a tile for which some threads have no row.
//
// RUN: %run_kernels %s
#include "derive.h"
#include "tape.h"

#ifndef EMULATED

__device__ __forceinline__ int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__constant__ int order[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__constant__ double coef[2][4] = {{1, -0.5, 0.25, 0.1}, {0.3, 0.7, -0.2, 0.05}};

// LULESH-like hexahedron: local arrays, out pointers, early return
__device__ __attribute__((noinline)) void sumFace(double *nx, double *ny, int a, int b, int c,
                                                  const double *px, const double *py) {
  double b0 = 0.5 * (px[a] - px[b]), b1 = 0.25 * (py[c] - py[a]);
  double area = b0 * b1 - 0.3 * px[c] * py[b];
  nx[a] += area;
  nx[b] += area * b0;
  ny[c] += area * b1;
  ny[a] -= area;
}
__device__ void hexa(const double *x, double *y, int n) {
  int e = globalThread();
  if (e >= n)
    return;
  double px[8], py[8], B[3][8];
  for (int k = 0; k < 8; ++k) {
    int node = (e * 3 + order[k]) % 40;
    px[k] = x[node];
    py[k] = x[40 + node];
    B[0][k] = B[1][k] = B[2][k] = 0;
  }
  for (int f = 0; f < 6; ++f)
    sumFace(B[0], B[1], f, (f + 3) % 8, (f * 5 + 2) % 8, px, py);
  double vol = 0;
  for (int k = 0; k < 8; ++k) {
    B[2][k] = B[0][k] * B[1][7 - k];
    vol += px[k] * B[0][k] + B[2][k];
  }
  if (vol < -0.05) {
    y[e] = -1;
    return;
  }
  if (vol == 0)
    return;
  double r = sqrt(1 + vol * vol);
  for (int k = 0; k < 8; ++k)
    r += B[2][order[k] % 8] * sin(px[k]);
  y[e] = r / (1 + vol * vol);
}
// RSBench-like: LCG, switch, complex struct, function pointers-free template functor
struct C {
  double r, i;
};
__device__ C operator*(C a, C b) { return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r}; }
__device__ C operator+(C a, C b) { return {a.r + b.r, a.i + b.i}; }
__device__ unsigned long lcg(unsigned long *s) {
  *s = (2806196910506780709ul * *s + 1ul) & 0x7fffffffffffffff;
  return *s;
}
__device__ __attribute__((noinline)) C w(C z) {
  double a = z.r * z.r + z.i * z.i;
  if (a < 0.4) {
    C p = z * z;
    return p + C{1, 0.5} * z;
  }
  double q = 1 / (1 + a);
  return {z.r * q, -z.i * q};
}
__device__ void poles(const double *x, double *y, int n) {
  int i = globalThread();
  if (i >= n)
    return;
  unsigned long seed = i * 7919 + 13;
  int mat = lcg(&seed) % 12, lookups = 1 + mat % 5;
  double macro[4] = {0, 0, 0, 0};
  for (int j = 0; j < lookups; ++j) {
    int nuc = lcg(&seed) % 10;
    double E = x[(nuc + i) % 30];
    C sum = {0, 0};
    for (int p = 0; p < 3; ++p) {
      C z = {E - x[nuc + p], 0.2 + x[30 + p]};
      sum = sum + w(z) * C{coef[0][p], coef[1][p]};
    }
    switch (mat % 4) {
    case 0:
      macro[0] += sum.r;
      break;
    case 1:
      macro[1] += sum.i * E;
    case 2:
      macro[2] += sum.r * sum.i;
      break;
    default:
      macro[3] += exp(sum.r);
    }
  }
  double m = 0;
  for (int k = 0; k < 4; ++k)
    m += macro[k] * (k + 1) + macro[k] * macro[(k + 1) % 4];
  y[i] = m;
}
// shared histogram with atomics, then flush
__shared__ double bins[8];
__device__ void binned(const double *x, double *y, int n) {
  int t = threadIdx.x;
  if (t < 8)
    bins[t] = 0;
  __syncthreads();
  for (int i = globalThread(); i < n; i += gridDim.x * blockDim.x) {
    double v = x[i];
    double u = (v + 1.2) * 3;
    int b = (int)u;
    double f = u - b;
    atomicAdd(&bins[b % 8], (1 - f) * v);
    atomicAdd(&bins[(b + 1) % 8], f * v * v);
  }
  __syncthreads();
  if (t < 8)
    atomicAdd(&y[t], bins[t] * bins[(t + 1) % 8]);
}
// warp + shared: block softmax w/ max by shuffles
__shared__ double warpPart[2], warpMax[2];
__device__ void softmaxRow(const double *x, double *y, int n) {
  int t = threadIdx.x, lane = t % 32, wp = t / 32;
  double v = x[blockIdx.x * 64 + t], m = v;
  for (int o = 16; o; o /= 2) {
    double u = __shfl_xor_sync(0xffffffffu, m, o);
    m = m > u ? m : u;
  }
  if (lane == 0)
    warpMax[wp] = m;
  __syncthreads();
  m = warpMax[0] > warpMax[1] ? warpMax[0] : warpMax[1];
  double e = exp(v - m), s = e;
  for (int o = 16; o; o /= 2)
    s += __shfl_down_sync(0xffffffffu, s, o);
  if (lane == 0)
    warpPart[wp] = s;
  __syncthreads();
  s = warpPart[0] + warpPart[1];
  y[blockIdx.x * 64 + t] = e / s + 0.1 * m;
}
// in-place update of global memory via same pointer, local struct with reinterpret float4-ish
// double2 loads
__device__ void vec(const double *x, double *y, int n) {
  int i = globalThread();
  if (2 * i + 1 >= n)
    return;
  double2 p = reinterpret_cast<const double2 *>(x)[i];
  double2 q = {p.x * p.y, sin(p.x) - p.y};
  reinterpret_cast<double2 *>(y)[i] = q;
  y[2 * i] += y[2 * i + 1] * y[2 * i + 1];
  y[2 * i + 1] *= y[2 * i];
}
// newton with divergent trip counts and break
__device__ void newton(const double *x, double *y, int n) {
  int i = globalThread();
  if (i >= n)
    return;
  double a = 1.5 + x[i], z = a;
  int k = 0;
  while (true) {
    double f = z * z * z - a;
    double d = f / (3 * z * z);
    z -= d;
    if (d < 1e-12 && d > -1e-12)
      break;
    if (++k > 50)
      break;
  }
  y[i] = z * x[(i + 1) % n];
}
// tiled transpose + matvec with extern shared replaced by fixed, threads beyond n guarded around
// barriers
__shared__ double tile[16];
__device__ void matvec(const double *__restrict__ x, double *__restrict__ y, int n) {
  int row = globalThread();
  double acc = 0;
  for (int base = 0; base < n; base += 16) {
    int k = base + threadIdx.x;
    tile[threadIdx.x] = k < n ? x[k] * x[k] : 0.0;
    __syncthreads();
    if (row < n)
      for (int j = 0; j < 16; ++j)
        if (base + j < n)
          acc += x[n + row * n + base + j] * tile[j];
    __syncthreads();
  }
  if (row < n)
    y[row] = acc > 0 ? acc : 0.1 * acc;
}

#endif

DERIVE(hexa, double)
DERIVE(poles, double)
DERIVE(binned, double)
DERIVE(softmaxRow, double)
DERIVE(vec, double)
DERIVE(newton, double)
DERIVE(matvec, double)

#ifdef EMULATED

int main() {
  gpu::checkWithTape(hexa, 80, 20, 2, 16, 20);
  gpu::checkWithTape(poles, 40, 20, 2, 16, 20);
  gpu::checkWithTape(binned, 100, 8, 2, 32, 100);
  gpu::checkWithTape(softmaxRow, 128, 128, 2, 64, 128);
  gpu::checkWithTape(vec, 42, 42, 2, 16, 42);
  gpu::checkWithTape(newton, 40, 40, 2, 32, 40);
  gpu::checkWithTape(matvec, 20 + 400, 20, 2, 16, 20);
}

#endif
