// Tables and random numbers: cross sections between the points of a grid that a search finds, features from a hash
// grid, and the price of an option by paths. All scatter their adjoints.
// RUN: %run_kernels %s
#include "device.h"
#include "tape.h"

#ifndef EMULATED

struct Point {
  double energy, total, scatter;
};

__device__ unsigned next(unsigned long *state) {
  *state = *state * 6364136223846793005ul + 1442695040888963407ul;
  return *state >> 40;
}

// The nuclides of a material, each with a grid of its own; how many there are is in memory.
__device__ double crossSection(const Point *grid, const double *density, const int *count, int points, int i) {
  unsigned long state = i + 17;
  double energy = next(&state) / 16777216.0, sum = 0;
  int material = next(&state) % 3;
  for (int k = 0; k < count[material]; ++k) {
    const Point *mine = grid + (material + k) % 4 * points;
    int low = 0, high = points - 1;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      (mine[middle].energy > energy ? high : low) = middle;
    }
    double f = (mine[high].energy - energy) / (mine[high].energy - mine[low].energy);
    double total = mine[high].total - f * (mine[high].total - mine[low].total);
    double scatter = mine[high].scatter - f * (mine[high].scatter - mine[low].scatter);
    sum += density[material] * sqrt(total * total + scatter * sum);
  }
  return sum;
}

// Features of several levels, from tables that places share.
__device__ double features(const double *table, double x) {
  double sum = 0;
  for (int level = 0; level < 4; ++level) {
    double at = x * (3 << level);
    unsigned cell = at;
    double f = at - cell;
    unsigned a = cell * 2654435761u % 16, b = (cell + 1) * 2654435761u % 16;
    double v = table[16 * level + a] * (1 - f) + table[16 * level + b] * f;
    sum += v * tanh(v);
  }
  return sum;
}

__device__ double path(const double *market, int steps, int i) {
  unsigned long state = 977 * i + 1;
  double price = market[0], mean = 0;
  for (int k = 0; k < steps; ++k) {
    double z = (next(&state) + next(&state) + next(&state)) / 16777216.0 - 1.5;
    price *= exp((market[1] - 0.5 * market[2] * market[2]) * 0.1 + market[2] * 0.6 * z);
    mean += price / steps;
  }
  return log(1 + exp(4 * (mean - 1)));
}

__device__ void all(const Point *grid, const double *density, const int *count, const double *table,
                    const double *market, double *y, int points, int steps) {
  int i = globalX();
  y[i] = crossSection(grid, density, count, points, i) + features(table, (i + 0.3) / 20) + path(market, steps, i);
}

KERNEL values(const Point *grid, const double *density, const int *count, const double *table, const double *market,
              double *y, int points, int steps) {
  all(grid, density, count, table, market, y, points, steps);
}
KERNEL gradients(const Point *grid, Point *dgrid, const double *density, double *ddensity, const int *count,
                 const double *table, double *dtable, const double *market, double *dmarket, double *y, double *dy,
                 int points, int steps) {
  __enzyme_autodiff<void>((void *)all, enzyme_dup, grid, dgrid, enzyme_dup, density, ddensity, enzyme_const, count,
                          enzyme_dup, table, dtable, enzyme_dup, market, dmarket, enzyme_dup, y, dy, enzyme_const,
                          points, enzyme_const, steps);
}

#else

KERNEL values(const double *grid, const double *density, const int *count, const double *table, const double *market,
              double *y, int points, int steps);
KERNEL gradients(const double *grid, double *dgrid, const double *density, double *ddensity, const int *count,
                 const double *table, double *dtable, const double *market, double *dmarket, double *y, double *dy,
                 int points, int steps);

int main() {
  const int points = 9, steps = 5, n = 16;
  std::vector<double> grid(4 * points * 3), density{1.1, 0.4, 0.7}, table(64), market{1.05, 0.03, 0.4}, y(n);
  std::vector<int> count{2, 4, 3};
  for (int i = 0; i < 4 * points; ++i) {
    grid[3 * i] = (i % points + 0.2 * std::sin(i)) / (points - 1) + (i % points ? 0 : -0.3);
    grid[3 * i + 1] = 2 + std::sin(1.3 * i), grid[3 * i + 2] = 1 + 0.5 * std::cos(2.1 * i);
  }
  for (int i = 0; i < 64; ++i)
    table[i] = std::sin(0.4 * i);
  std::vector<double> dgrid(grid.size()), ddensity(3), dtable(64), dmarket(3), dy(n, 1);
  gpu::launchCounted(gradients, 2, 8, grid.data(), dgrid.data(), density.data(), ddensity.data(), count.data(),
                     table.data(), dtable.data(), market.data(), dmarket.data(), y.data(), dy.data(), points, steps);
  auto value = [&] {
    gpu::launch(values, 2, 8, grid.data(), density.data(), count.data(), table.data(), market.data(), y.data(), points,
                steps);
    double sum = 0;
    for (double each : y)
      sum += each;
    return sum;
  };
  gpu::expectGradient<double>("grid", grid, dgrid, value, 1e-6, 1e-6);
  gpu::expectGradient<double>("density", density, ddensity, value);
  gpu::expectGradient<double>("table", table, dtable, value);
  gpu::expectGradient<double>("market", market, dmarket, value);
}

#endif
