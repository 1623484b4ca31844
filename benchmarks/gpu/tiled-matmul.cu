// A product of matrices by tiles in shared memory, by blocks of 8 x 8 threads; beside it a gradient by hand, which is
// two such products.
#include "gpu.h"

#ifndef EMULATED

TAPE

#define SIDE 8

__device__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
  float sum = 0;
  for (int k = 0; k < n; k += SIDE) {
    left[y][x] = a[row * n + k + x];
    right[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int l = 0; l < SIDE; ++l)
      sum += left[y][l] * right[l][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

KERNEL values(const float *a, const float *b, float *c, int n) { multiply(a, b, c, n); }
KERNEL gradients(const float *a, float *da, const float *b, float *db, float *c, float *dc, int n) {
  __enzyme_autodiff<void>((void *)multiply, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, enzyme_const, n);
}

/// da += dc b', db += a' dc.
KERNEL hand(const float *a, float *da, const float *b, float *db, const float *dc, int n) {
  __shared__ float one[SIDE][SIDE], other[SIDE][SIDE];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
  float ofA = 0, ofB = 0;
  for (int k = 0; k < n; k += SIDE) {
    one[y][x] = dc[row * n + k + x];
    other[y][x] = b[(blockIdx.x * SIDE + y) * n + k + x];
    __syncthreads();
    for (int l = 0; l < SIDE; ++l)
      ofA += one[y][l] * other[x][l];
    __syncthreads();
    one[y][x] = a[(k + y) * n + blockIdx.y * SIDE + x];
    other[y][x] = dc[(k + y) * n + column];
    __syncthreads();
    for (int l = 0; l < SIDE; ++l)
      ofB += one[l][y] * other[l][x];
    __syncthreads();
  }
  da[row * n + column] += ofA;
  db[row * n + column] += ofB;
}

#else

KERNEL values(const float *a, const float *b, float *c, int n);
KERNEL gradients(const float *a, float *da, const float *b, float *db, float *c, float *dc, int n);
KERNEL hand(const float *a, float *da, const float *b, float *db, const float *dc, int n);

int main() {
  const int n = along(16, 3), m = n * n;
  std::vector<float> a = gpu::wave<float>(m, 0.7), b = gpu::wave<float>(m, 1.1), c(m), w = gpu::wave<float>(m, 0.3);
  std::vector<float> da(m), db(m), dc = w, daByHand(m), dbByHand(m);
  const gpu::Size grid(n / 8, n / 8), block(8, 8);
  withTape([&] {
    gpu::launch(gradients, grid, block, a.data(), da.data(), b.data(), db.data(), c.data(), dc.data(), n);
  });
  gpu::launch(hand, grid, block, a.data(), daByHand.data(), b.data(), dbByHand.data(), w.data(), n);
  gpu::expectSame("da", da, daByHand, 1e-4);
  gpu::expectSame("db", db, dbByHand, 1e-4);
  gpu::launch(values, grid, block, a.data(), b.data(), c.data(), n);
  double sum = 0; // Linear in both.
  for (int i = 0; i < m; ++i)
    sum += double(da[i]) * a[i];
  gpu::expectNear("c w", 0, sum, gpu::dot(c, w), 1e-4);
}

#endif
