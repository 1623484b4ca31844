// Attention in one pass: a warp has a query, and goes through keys and values once, with the largest score so far and
// the sum so far, which it scales down where a larger score comes. Beside it a gradient by hand, which keeps nothing.
#include "gpu.h"

#ifndef EMULATED

TAPE

__device__ float sumOf(float v) {
  for (int by = 16; by > 0; by /= 2)
    v += __shfl_xor_sync(0xffffffff, v, by);
  return v;
}

__device__ void attend(const float *query, const float *keys, const float *values, float *y, int n) {
  int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float q = query[32 * row + lane], most = -1e30f, sum = 0, mix = 0;
  for (int k = 0; k < n; ++k) {
    float score = sumOf(q * keys[32 * k + lane]), larger = fmaxf(most, score);
    float fade = expf(most - larger), share = expf(score - larger);
    sum = sum * fade + share;
    mix = mix * fade + share * values[32 * k + lane];
    most = larger;
  }
  y[32 * row + lane] = mix / sum;
}

KERNEL values(const float *query, const float *keys, const float *values, float *y, int n) {
  attend(query, keys, values, y, n);
}
KERNEL gradients(const float *query, float *dquery, const float *keys, float *dkeys, const float *values,
                 float *dvalues, float *y, float *dy, int n) {
  __enzyme_autodiff<void>((void *)attend, enzyme_dup, isozyme_unshared, query, dquery, enzyme_dup, keys, dkeys,
                          enzyme_dup, values, dvalues, enzyme_dup, isozyme_unshared, y, dy, enzyme_const, n);
}
KERNEL hand(const float *query, float *dquery, const float *keys, float *dkeys, const float *values, float *dvalues,
            const float *y, const float *dy, int n) {
  int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, i = 32 * row + lane;
  float q = query[i], most = -1e30f, sum = 0, dq = 0, mean = sumOf(dy[i] * y[i]);
  for (int k = 0; k < n; ++k)
    most = fmaxf(most, sumOf(q * keys[32 * k + lane]));
  for (int k = 0; k < n; ++k)
    sum += expf(sumOf(q * keys[32 * k + lane]) - most);
  for (int k = 0; k < n; ++k) {
    float share = expf(sumOf(q * keys[32 * k + lane]) - most) / sum;
    float dscore = share * (sumOf(dy[i] * values[32 * k + lane]) - mean);
    atomicAdd(&dvalues[32 * k + lane], share * dy[i]);
    atomicAdd(&dkeys[32 * k + lane], dscore * q);
    dq += dscore * keys[32 * k + lane];
  }
  dquery[i] += dq;
}

#else

KERNEL values(const float *query, const float *keys, const float *values, float *y, int n);
KERNEL gradients(const float *query, float *dquery, const float *keys, float *dkeys, const float *values,
                 float *dvalues, float *y, float *dy, int n);
KERNEL hand(const float *query, float *dquery, const float *keys, float *dkeys, const float *values, float *dvalues,
            const float *y, const float *dy, int n);

int main() {
  const int rows = 4 * larger, n = 6, all = 32 * rows, many = 32 * n;
  std::vector<float> q = gpu::wave<float>(all, 1.3), k = gpu::wave<float>(many, 0.9), v = gpu::wave<float>(many, 0.4);
  std::vector<float> dq(all), dk(many), dv(many), qByHand(all), kByHand(many), vByHand(many);
  std::vector<float> y(all), w = gpu::wave<float>(all, 0.6), dy = w;
  withTape([&] {
    gpu::launch(gradients, 2 * larger, 64, q.data(), dq.data(), k.data(), dk.data(), v.data(), dv.data(), y.data(), dy.data(),
                n);
  });
  gpu::launch(values, 2 * larger, 64, q.data(), k.data(), v.data(), y.data(), n);
  gpu::launch(hand, 2 * larger, 64, q.data(), qByHand.data(), k.data(), kByHand.data(), v.data(), vByHand.data(), y.data(),
              w.data(), n);
  gpu::expectSame("dquery", dq, qByHand, 1e-4);
  gpu::expectSame("dkeys", dk, kByHand, 1e-4);
  gpu::expectSame("dvalues", dv, vByHand, 1e-4);
  std::vector<float> some(q.begin(), q.begin() + 4), dsome(dq.begin(), dq.begin() + 4);
  gpu::expectGradient<float>("dquery", some, dsome, [&] {
    std::copy(some.begin(), some.end(), q.begin());
    gpu::launch(values, 2 * larger, 64, q.data(), k.data(), v.data(), y.data(), n);
    return gpu::dot(y, w);
  }, 1e-2, 1e-2);
}

#endif
