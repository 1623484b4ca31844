// A step of diffusion with a coefficient that depends on the temperature, by blocks of 8 x 8 threads with a halo in
// shared memory; beside it a gradient by hand, of a simpler form: each cell gathers from its neighbours.
#include "gpu.h"

#ifndef EMULATED

#define SIDE 8

__device__ double conductivity(double u) { return 1 + 0.5 * u * u; }

__device__ void step(const double *in, double *out, int n) {
  __shared__ double tile[SIDE + 2][SIDE + 2];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int i = blockIdx.x * SIDE + threadIdx.x, j = blockIdx.y * SIDE + threadIdx.y;
  tile[y][x] = in[j * n + i];
  if (x == 1)
    tile[y][0] = i > 0 ? in[j * n + i - 1] : 0;
  if (x == SIDE)
    tile[y][SIDE + 1] = i < n - 1 ? in[j * n + i + 1] : 0;
  if (y == 1)
    tile[0][x] = j > 0 ? in[(j - 1) * n + i] : 0;
  if (y == SIDE)
    tile[SIDE + 1][x] = j < n - 1 ? in[(j + 1) * n + i] : 0;
  __syncthreads();
  double u = tile[y][x];
  out[j * n + i] = u + 0.1 * conductivity(u) *
                           (tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] + tile[y + 1][x] - 4 * u);
}

KERNEL values(const double *in, double *out, int n) { step(in, out, n); }
KERNEL gradients(const double *in, double *din, double *out, double *dout, int n) {
  __enzyme_autodiff<void>((void *)step, enzyme_dup, in, din, enzyme_dup, isozyme_unshared, out, dout, enzyme_const, n);
}
KERNEL hand(const double *in, double *din, const double *dout, int n) {
  int i = blockIdx.x * SIDE + threadIdx.x, j = blockIdx.y * SIDE + threadIdx.y;
  double u = in[j * n + i], sum = 0, from = 0;
  const int dx[4] = {-1, 1, 0, 0}, dy[4] = {0, 0, -1, 1};
  for (int k = 0; k < 4; ++k) {
    int x = i + dx[k], y = j + dy[k];
    if (x < 0 || x >= n || y < 0 || y >= n)
      continue;
    sum += in[y * n + x];
    from += conductivity(in[y * n + x]) * dout[y * n + x];
  }
  din[j * n + i] += dout[j * n + i] * (1 + 0.1 * (u * (sum - 4 * u) - 4 * conductivity(u))) + 0.1 * from;
}

#else

KERNEL values(const double *in, double *out, int n);
KERNEL gradients(const double *in, double *din, double *out, double *dout, int n);
KERNEL hand(const double *in, double *din, const double *dout, int n);

int main() {
  const int n = along(16, 2), all = n * n;
  std::vector<double> in = gpu::wave(all, 0.7), out(all), w = gpu::wave(all, 0.3), dout = w, din(all), byHand(all);
  const gpu::Size grid(n / 8, n / 8), block(8, 8);
  gpu::launch(gradients, grid, block, in.data(), din.data(), out.data(), dout.data(), n);
  gpu::launch(hand, grid, block, in.data(), byHand.data(), w.data(), n);
  gpu::expectSame("din", din, byHand, 1e-12);
  std::vector<double> some(in.begin(), in.begin() + 20), dsome(din.begin(), din.begin() + 20);
  gpu::expectGradient<double>("din", some, dsome, [&] {
    std::copy(some.begin(), some.end(), in.begin());
    gpu::launch(values, grid, block, in.data(), out.data(), n);
    return gpu::dot(out, w);
  });
}

#endif
