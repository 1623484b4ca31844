// Large records that a library function moves when it sorts them: rows of numbers, which loops index, then a number and
// the integer by which they are sorted, with padding behind it.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1,-O2,-O3 --keep plan --flag=-std=c++17 %s
#include "check.h"
#include <algorithm>
#include <numeric>
#include <vector>

namespace {

struct Particle {
  double x[3], v[3], mass;
  int cell;
};

std::vector<Particle> particles(const double *in, int n) {
  std::vector<Particle> all(n);
  for (int i = 0; i < n; i++) {
    Particle &p = all[i];
    for (int k = 0; k < 3; k++) {
      p.x[k] = in[(i + k) % n];
      p.v[k] = 0.1 * in[(i * 2 + k) % n];
    }
    p.mass = 1 + in[i];
    p.cell = i * 3 % 4;
  }
  return all;
}

/// Particles of one cell attract each other.
void step(std::vector<Particle> &all, const std::vector<std::vector<int>> &cells) {
  for (const std::vector<int> &cell : cells)
    for (int i : cell)
      for (int j : cell)
        for (int k = 0; k < 3 && i != j; k++)
          all[i].v[k] += 0.01 * all[j].mass * (all[j].x[k] - all[i].x[k]);
  for (Particle &p : all)
    for (int k = 0; k < 3; k++)
      p.x[k] += 0.1 * p.v[k];
}

double cells(const double *in, int n) {
  std::vector<Particle> all = particles(in, n);
  std::stable_sort(all.begin(), all.end(),
                   [](const Particle &a, const Particle &b) { return a.cell < b.cell; });
  std::vector<std::vector<int>> inCell(4);
  for (int i = 0; i < n; i++)
    inCell[all[i].cell].push_back(i);
  for (int t = 0; t < 3; t++)
    step(all, inCell);
  all.erase(std::remove_if(all.begin(), all.end(), [](const Particle &p) { return p.cell == 3; }),
            all.end());
  return std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const Particle &p) {
    return sum + p.mass * std::inner_product(p.v, p.v + 3, p.x, 0.0);
  });
}

} // namespace

int main() {
  double x[7], t[7];
  fill(x, 7, 3, 0.2, 1.2);
  fill(t, 7, 7, -1, 1);
  CHECK_FUNCTION(cells, 7, x, t, 7);
  return finish();
}
