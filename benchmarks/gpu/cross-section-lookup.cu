// Macroscopic cross sections of neutrons: each thread samples an energy and a material, finds the energy on the
// unionised grid by bisection, and sums what the nuclides of the material contribute between two points of their
// grids. After the description of XSBench.
#include "gpu.h"

struct Point {
  double energy, total, elastic, absorption, fission, nuFission;
};

struct Grids {
  const double *unionised;
  const int *index; // Of each nuclide's grid, at each energy of the unionised one.
  const int *count, *nuclides;
  int nuclideCount, points, most; // Nuclides, points of each, and the most nuclides of a material.
};

#ifndef EMULATED

TAPE_BELOW_O2

__device__ double sample(unsigned long *seed) {
  *seed = (2806196910506780709ul * *seed + 1ul) % 9223372036854775808ul;
  return double(*seed) / 9223372036854775808.0;
}

__device__ unsigned long seedOf(unsigned thread) {
  unsigned long seed = 1070;
  for (unsigned i = 0; i < thread % 7 + 1; ++i)
    sample(&seed);
  return seed + 7919ul * thread;
}

__device__ int pickMaterial(double roll) {
  const double share[4] = {0.14, 0.35, 0.28, 0.23};
  double all = 0;
  for (int i = 0; i < 4; ++i) {
    all += share[i];
    if (roll < all)
      return i;
  }
  return 0;
}

__device__ long search(const double *grid, double energy, long n) {
  long low = 0, high = n - 1, length = high - low;
  while (length > 1) {
    long middle = low + length / 2;
    if (grid[middle] > energy)
      high = middle;
    else
      low = middle;
    length = high - low;
  }
  return low;
}

__device__ void micro(double energy, int nuclide, const Grids *g, const Point *grid, long at, double *xs) {
  int place = g->index[at * g->nuclideCount + nuclide];
  const Point *low = &grid[nuclide * g->points + (place == g->points - 1 ? place - 1 : place)], *high = low + 1;
  double f = (high->energy - energy) / (high->energy - low->energy);
  xs[0] = high->total - f * (high->total - low->total);
  xs[1] = high->elastic - f * (high->elastic - low->elastic);
  xs[2] = high->absorption - f * (high->absorption - low->absorption);
  xs[3] = high->fission - f * (high->fission - low->fission);
  xs[4] = high->nuFission - f * (high->nuFission - low->nuFission);
}

__device__ void macro(double energy, int material, const Grids *g, const double *density, const Point *grid,
                      double *macroXs) {
  for (int k = 0; k < 5; ++k)
    macroXs[k] = 0;
  long at = search(g->unionised, energy, (long)g->nuclideCount * g->points);
  for (int j = 0; j < g->count[material]; ++j) {
    double xs[5];
    int nuclide = g->nuclides[material * g->most + j];
    double amount = density[material * g->most + j];
    micro(energy, nuclide, g, grid, at, xs);
    for (int k = 0; k < 5; ++k)
      macroXs[k] += xs[k] * amount;
  }
}

__device__ double lookup(const Grids *g, const double *density, const Point *grid, int lookups) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lookups)
    return 0;
  unsigned long seed = seedOf(i);
  double energy = sample(&seed), macroXs[5];
  macro(energy, pickMaterial(sample(&seed)), g, density, grid, macroXs);
  double norm = 0;
  for (int k = 0; k < 5; ++k)
    norm += macroXs[k] * macroXs[k] * (k + 1);
  return sqrt(norm);
}

__device__ void store(const Grids *g, const double *density, const Point *grid, int lookups, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lookups)
    out[i] = lookup(g, density, grid, lookups);
}

KERNEL values(const Grids *g, const double *density, const Point *grid, int lookups, double *out) {
  store(g, density, grid, lookups, out);
}
KERNEL gradients(const Grids *g, const double *density, double *ddensity, const Point *grid, Point *dgrid,
                 int lookups) {
  __enzyme_autodiff<void>((void *)lookup, enzyme_const, g, enzyme_dup, density, ddensity, enzyme_dup, grid, dgrid,
                          enzyme_const, lookups);
}

#else

KERNEL values(const Grids *g, const double *density, const double *grid, int lookups, double *out);
KERNEL gradients(const Grids *g, const double *density, double *ddensity, const double *grid, double *dgrid,
                 int lookups);

int main() {
  const int nuclides = 4, points = 6 * std::min(larger, 128), most = 3, lookups = 29 * larger;
  const int threads = threadsFor(16), blocks = blocksFor(lookups, 2, 16);
  std::vector<double> grid(6 * nuclides * points), unionised, density = gpu::wave(4 * most, 0.4);
  for (int i = 0; i < nuclides * points; ++i) {
    int p = i % points;
    grid[6 * i] = p == 0 ? -0.01 : p == points - 1 ? 1.01 : (p + 0.3 * std::sin(i)) / (points - 1);
    for (int k = 1; k < 6; ++k)
      grid[6 * i + k] = 1 + 0.8 * std::sin(1.3 * i + k);
    unionised.push_back(grid[6 * i]);
  }
  std::sort(unionised.begin(), unionised.end());
  std::vector<int> index, count{2, 3, 1, 2}, list{0, 1, 0, 3, 1, 2, 2, 0, 0, 1, 3, 0};
  for (double energy : unionised)
    for (int n = 0; n < nuclides; ++n) {
      int place = 0;
      while (place < points - 2 && grid[6 * (n * points + place + 1)] <= energy)
        ++place;
      index.push_back(place);
    }
  Grids g{unionised.data(), index.data(), count.data(), list.data(), nuclides, points, most};
  std::vector<double> dgrid(grid.size()), ddensity(density.size()), out(lookups);
  withTape([&] {
    gpu::launch(gradients, blocks, threads, &g, density.data(), ddensity.data(), grid.data(), dgrid.data(), lookups);
  });
  auto value = [&] {
    gpu::launch(values, blocks, threads, &g, density.data(), grid.data(), lookups, out.data());
    return gpu::dot(out, std::vector<double>(lookups, 1));
  };
  gpu::expectGradient<double>("density", density, ddensity, value);
  gpu::expectGradient<double>("grid", grid, dgrid, value, 1e-6, 1e-6);
}

#endif
