// One step of the lattice Boltzmann method with 19 velocities (D3Q19), in a periodic box with obstacles: gather what
// flows into the cell, collide, write. The adjoint scatters.
#include "gpu.h"

#ifndef EMULATED

__constant__ double weight[19] = {1. / 3,  1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 36, 1. / 36, 1. / 36,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
__constant__ int velocity[19][3] = {{0, 0, 0},   {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},  {0, 0, -1},
                                    {1, 1, 0},   {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
                                    {-1, 0, 1},  {0, 1, 1},  {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
__constant__ int opposite[19] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};

__device__ int wrap(int i, int n) { return (i + n) % n; }

__device__ void step(const double *in, double *out, const unsigned char *obstacle, double omega, int n) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x, cells = n * n * n;
  if (cell >= cells)
    return;
  int x = cell % n, y = cell / n % n, z = cell / (n * n);
  double f[19], rho = 0, ux = 0, uy = 0, uz = 0;
  for (int k = 0; k < 19; ++k) {
    int from = wrap(x - velocity[k][0], n) + n * (wrap(y - velocity[k][1], n) + n * wrap(z - velocity[k][2], n));
    f[k] = in[k * cells + from];
    rho += f[k];
    ux += f[k] * velocity[k][0];
    uy += f[k] * velocity[k][1];
    uz += f[k] * velocity[k][2];
  }
  if (obstacle[cell]) {
    for (int k = 0; k < 19; ++k)
      out[opposite[k] * cells + cell] = f[k];
    return;
  }
  ux /= rho, uy /= rho, uz /= rho;
  double square = 1.5 * (ux * ux + uy * uy + uz * uz);
  for (int k = 0; k < 19; ++k) {
    double along = 3 * (velocity[k][0] * ux + velocity[k][1] * uy + velocity[k][2] * uz);
    double equilibrium = weight[k] * rho * (1 + along + 0.5 * along * along - square);
    out[k * cells + cell] = (1 - omega) * f[k] + omega * equilibrium;
  }
}

KERNEL values(const double *in, double *out, const unsigned char *obstacle, double omega, int n) {
  step(in, out, obstacle, omega, n);
}
// What flows into a cell flows into no other one: no two threads meet.
KERNEL gradients(const double *in, double *din, double *out, double *dout, const unsigned char *obstacle, double omega,
                 int n) {
  __enzyme_autodiff<void>((void *)step, enzyme_dup, isozyme_unshared, in, din, enzyme_dup, isozyme_unshared, out, dout,
                          enzyme_const, obstacle, enzyme_const, omega, enzyme_const, n);
}

#else

KERNEL values(const double *in, double *out, const unsigned char *obstacle, double omega, int n);
KERNEL gradients(const double *in, double *din, double *out, double *dout, const unsigned char *obstacle, double omega,
                 int n);

int main() {
  const int n = along(3, 3), cells = n * n * n, all = 19 * cells;
  const int threads = threadsFor(8), blocks = blocksFor(cells, 4, 8);
  std::vector<double> in(all), out(all), w = gpu::wave(all, 0.7), din(all), dout = w;
  for (int i = 0; i < all; ++i)
    in[i] = 1 + 0.3 * std::sin(0.4 * i);
  std::vector<unsigned char> obstacle(cells);
  obstacle[4] = obstacle[11] = 1;
  gpu::launch(gradients, blocks, threads, in.data(), din.data(), out.data(), dout.data(), obstacle.data(), 1.3, n);
  gpu::expectGradient<double>("in", in, din, [&] {
    gpu::launch(values, blocks, threads, in.data(), out.data(), obstacle.data(), 1.3, n);
    return gpu::dot(out, w);
  });
}

#endif
