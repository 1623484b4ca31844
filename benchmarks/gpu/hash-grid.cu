// Features of a point from grids of several levels, whose cells share a table by a hash; then one layer of a network.
// Threads add to the same entries. Beside it a gradient by hand.
#include "gpu.h"

#ifndef EMULATED

#define LEVELS 4
#define TABLE 32

__device__ unsigned place(unsigned x, unsigned y) { return (x ^ y * 2654435761u) % TABLE; }

__device__ float encode(const float *table, const float *weight, float x, float y) {
  float sum = 0;
  for (int level = 0; level < LEVELS; ++level) {
    float u = x * (2 << level), v = y * (2 << level);
    unsigned i = u, j = v;
    float fu = u - i, fv = v - j;
    const float *own = table + level * TABLE;
    float feature = (1 - fu) * (1 - fv) * own[place(i, j)] + fu * (1 - fv) * own[place(i + 1, j)] +
                    (1 - fu) * fv * own[place(i, j + 1)] + fu * fv * own[place(i + 1, j + 1)];
    sum += weight[level] * feature;
  }
  return tanhf(sum);
}

KERNEL values(const float *table, const float *weight, const float *points, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = encode(table, weight, points[2 * i], points[2 * i + 1]);
}
KERNEL gradients(const float *table, float *dtable, const float *weight, float *dweight, const float *points) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff<float>((void *)encode, enzyme_dup, table, dtable, enzyme_dup, weight, dweight, enzyme_const,
                           points[2 * i], enzyme_const, points[2 * i + 1]);
}
KERNEL hand(const float *table, float *dtable, const float *weight, float *dweight, const float *points) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = points[2 * t], y = points[2 * t + 1], out = encode(table, weight, x, y), g = 1 - out * out;
  for (int level = 0; level < LEVELS; ++level) {
    float u = x * (2 << level), v = y * (2 << level), feature = 0;
    unsigned i = u, j = v;
    float fu = u - i, fv = v - j;
    for (int corner = 0; corner < 4; ++corner) {
      int a = corner & 1, b = corner >> 1;
      float share = (a ? fu : 1 - fu) * (b ? fv : 1 - fv);
      int at = level * TABLE + place(i + a, j + b);
      feature += share * table[at];
      atomicAdd(&dtable[at], g * weight[level] * share);
    }
    atomicAdd(&dweight[level], g * feature);
  }
}

#else

KERNEL values(const float *table, const float *weight, const float *points, float *out);
KERNEL gradients(const float *table, float *dtable, const float *weight, float *dweight, const float *points);
KERNEL hand(const float *table, float *dtable, const float *weight, float *dweight, const float *points);

int main() {
  const int levels = 4, n = 32 * larger, threads = threadsFor(16), blocks = n / threads;
  std::vector<float> table = gpu::wave<float>(32 * levels, 0.7), weight{0.5f, -0.3f, 0.2f, 0.4f}, points(2 * n);
  std::vector<float> dtable(table.size()), dweight(levels), tableByHand(table.size()), weightByHand(levels), out(n);
  for (int i = 0; i < 2 * n; ++i)
    points[i] = 0.5f + 0.49f * std::sin(1.7f * i);
  gpu::launch(gradients, blocks, threads, table.data(), dtable.data(), weight.data(), dweight.data(), points.data());
  gpu::launch(hand, blocks, threads, table.data(), tableByHand.data(), weight.data(), weightByHand.data(), points.data());
  gpu::expectSame("table", dtable, tableByHand, 1e-5);
  gpu::expectSame("weight", dweight, weightByHand, 1e-5);
  gpu::expectGradient<float>("weight", weight, dweight, [&] {
    gpu::launch(values, blocks, threads, table.data(), weight.data(), points.data(), out.data());
    return gpu::dot(out, std::vector<float>(n, 1));
  }, 1e-2, 5e-3);
}

#endif
