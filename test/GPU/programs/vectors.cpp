// Vectors of two and four numbers that are read and written at once.
// RUN: %run_kernels %s
#include "derive.h"

#ifndef EMULATED

__device__ void scale4(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = ((const float4 *)x)[i];
  float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
  ((float4 *)y)[i] = float4{v.x / length, v.y / length, v.z / length, v.w * length};
}

/// The product with the next one, of complex numbers.
__device__ void complexProduct(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double2 a = ((const double2 *)x)[i], b = ((const double2 *)x)[(i + 1) % n];
  ((double2 *)y)[i] = double2{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/// A quaternion turns an arrow: four numbers and three.
__device__ void turn(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 q = *(const float4 *)(x + 8 * i), v = *(const float4 *)(x + 8 * i + 4);
  float cx = q.y * v.z - q.z * v.y + q.w * v.x, cy = q.z * v.x - q.x * v.z + q.w * v.y,
        cz = q.x * v.y - q.y * v.x + q.w * v.z;
  *(float4 *)(y + 4 * i) = float4{v.x + 2 * (q.y * cz - q.z * cy), v.y + 2 * (q.z * cx - q.x * cz),
                                  v.z + 2 * (q.x * cy - q.y * cx), v.w};
}

struct Particle {
  double2 place, speed;
};

/// Structures of vectors, in local arrays on the way.
__device__ void drift(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle two[2] = {((const Particle *)x)[i], ((const Particle *)x)[n - 1 - i]};
  double2 apart{two[0].place.x - two[1].place.x, two[0].place.y - two[1].place.y};
  double pull = 1 / (1 + apart.x * apart.x + apart.y * apart.y);
  for (int k = 0; k < 2; ++k) {
    two[k].speed.x += (k ? pull : -pull) * apart.x;
    two[k].place.y += 0.1 * two[k].speed.y * two[1 - k].speed.x;
  }
  ((Particle *)y)[i] = two[i % 2];
}

/// Read past the cache that remembers.
__device__ void readOnly(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = __ldg(x + i) * __ldg(x + (i * 7 + 3) % n);
}

/// Four numbers at once by that way: each with the ones of another thread.
__device__ void readOnly4(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 a = __ldg((const float4 *)x + i), b = __ldg((const float4 *)x + (i * 7 + 3) % n);
  *((float4 *)y + i) = float4{a.x * b.w, a.y * b.x + a.w, sinf(a.z), a.w * a.w * b.z};
}

/// And two.
__device__ void readOnly2(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double2 a = __ldg((const double2 *)x + i), b = __ldg((const double2 *)x + n - 1 - i);
  y[i] = a.x * b.y + a.y * a.y;
}

#endif

DERIVE(scale4, float)
DERIVE(complexProduct, double)
DERIVE(turn, float)
DERIVE(drift, double)
DERIVE(readOnly, float)
DERIVE(readOnly4, float)
DERIVE(readOnly2, double)

#ifdef EMULATED
int main() {
  scale4.check(gpu::wave<float>(160, 0.9), 160, 2, 32, 40, 2e-3, 5e-3);
  complexProduct.check(gpu::wave(80, 0.9), 80, 2, 32, 40, 1e-6, 1e-7);
  turn.check(gpu::wave<float>(320, 0.9), 160, 2, 32, 40, 2e-3, 5e-3);
  drift.check(gpu::wave(160, 0.9), 160, 2, 32, 40, 1e-6, 1e-7);
  readOnly.check(gpu::wave<float>(40, 0.9), 40, 2, 32, 40, 2e-3, 5e-3);
  readOnly4.check(gpu::wave<float>(160, 0.9), 160, 2, 32, 40, 2e-3, 5e-3);
  readOnly2.check(gpu::wave(80, 0.9), 40, 2, 32, 40, 1e-6, 1e-7);
}
#endif
