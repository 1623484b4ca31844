// The volume term of a discontinuous Galerkin method for the equations of Euler in two dimensions: a block has an
// element of 4 x 4 nodes. Each thread has a node, puts its fluxes into shared memory, and takes their derivatives along
// its row and its column. The rates lie apart from what is read: __restrict__ says so, or else each field reads the
// slopes again, and keeps what it has read.
#include "gpu.h"

#ifndef EMULATED

#define NODES 4
#define FIELDS 4

__device__ void volume(const double *__restrict__ state, const double *__restrict__ slope, double *rate) {
  __shared__ double along[FIELDS][NODES][NODES], across[FIELDS][NODES][NODES];
  int i = threadIdx.x, j = threadIdx.y, at = FIELDS * ((blockIdx.x * NODES + j) * NODES + i);
  double density = state[at], u = state[at + 1] / density, v = state[at + 2] / density, energy = state[at + 3];
  double pressure = 0.4 * (energy - 0.5 * density * (u * u + v * v));
  along[0][j][i] = density * u;
  along[1][j][i] = density * u * u + pressure;
  along[2][j][i] = density * u * v;
  along[3][j][i] = (energy + pressure) * u;
  across[0][j][i] = density * v;
  across[1][j][i] = density * u * v;
  across[2][j][i] = density * v * v + pressure;
  across[3][j][i] = (energy + pressure) * v;
  __syncthreads();
  for (int f = 0; f < FIELDS; ++f) {
    double sum = 0;
    for (int k = 0; k < NODES; ++k)
      sum += slope[NODES * i + k] * along[f][j][k] + slope[NODES * j + k] * across[f][k][i];
    rate[at + f] = -sum;
  }
}

KERNEL values(const double *state, const double *slope, double *rate) { volume(state, slope, rate); }
KERNEL gradients(const double *state, double *dstate, const double *slope, double *rate, double *drate) {
  __enzyme_autodiff<void>((void *)volume, enzyme_dup, isozyme_unshared, state, dstate, enzyme_const, slope, enzyme_dup,
                          isozyme_unshared, rate, drate);
}

#else

KERNEL values(const double *state, const double *slope, double *rate);
KERNEL gradients(const double *state, double *dstate, const double *slope, double *rate, double *drate);

int main() {
  const int elements = 2 * larger, nodes = 16 * elements, n = 4 * nodes;
  std::vector<double> state(n), slope = gpu::wave(16, 0.8), rate(n), w = gpu::wave(n, 0.6), drate = w, dstate(n);
  for (int i = 0; i < n; ++i) // Density and energy are positive.
    state[i] = (i % 4 == 0 ? 1 : i % 4 == 3 ? 3 : 0) + 0.3 * std::sin(1.3 * i);
  const gpu::Size block(4, 4);
  gpu::launch(gradients, elements, block, state.data(), dstate.data(), slope.data(), rate.data(), drate.data());
  gpu::expectGradient<double>("dstate", state, dstate, [&] {
    gpu::launch(values, elements, block, state.data(), slope.data(), rate.data());
    return gpu::dot(rate, w);
  }, 1e-5, 1e-7);
}

#endif
