// The price of an option on a mean, by paths whose random numbers each thread makes itself.
#include "gpu.h"

#ifndef EMULATED

#define STEPS 16

__device__ unsigned next(unsigned *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

__device__ double normal(unsigned *state) {
  double u = (next(state) + 0.5) / 4294967296.0, v = (next(state) + 0.5) / 4294967296.0;
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

__device__ double payoff(const double *market, unsigned seed) {
  double spot = market[0], rate = market[1], volatility = market[2], strike = market[3], mean = 0, dt = 1.0 / STEPS;
  for (int k = 0; k < STEPS; ++k) {
    spot *= exp((rate - 0.5 * volatility * volatility) * dt + volatility * sqrt(dt) * normal(&seed));
    mean += spot / STEPS;
  }
  return exp(-rate) * (mean > strike ? mean - strike : 0);
}

KERNEL values(const double *market, double *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = payoff(market, 12345 + 7919 * i);
}
// Everybody's market: the warp adds up before anybody writes.
KERNEL gradients(const double *market, double *dmarket) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  double own[4] = {0, 0, 0, 0};
  __enzyme_autodiff<double>((void *)payoff, enzyme_dup, isozyme_unshared, market, own, enzyme_const, 12345 + 7919 * i);
  for (int k = 0; k < 4; ++k) {
    double sum = own[k];
    for (int by = 16; by > 0; by /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, by);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&dmarket[k], sum);
  }
}

#else

KERNEL values(const double *market, double *out);
KERNEL gradients(const double *market, double *dmarket);

int main() {
  const int n = 128 * larger, blocks = 2 * larger;
  std::vector<double> market{1, 0.03, 0.3, 1.02}, dmarket(4), out(n), ones(n, 1);
  gpu::launch(gradients, blocks, 64, market.data(), dmarket.data());
  gpu::expectGradient<double>("market", market, dmarket, [&] {
    gpu::launch(values, blocks, 64, market.data(), out.data());
    return gpu::dot(out, ones);
  });
}

#endif
