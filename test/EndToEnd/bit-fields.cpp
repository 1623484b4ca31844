// Records of bit fields and numbers, in vectors and copied as a whole: tags name bit fields by the type that they are part
// of, which would reach into the number behind them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2,-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <algorithm>
#include <vector>

struct Cell {
  unsigned kind : 3, level : 5, rest : 24;
  float weight;
  double value;
};
static double refined(const double *x, int n) {
  std::vector<Cell> cells;
  for (int i = 0; i < n; i++)
    cells.push_back({unsigned(i % 5), unsigned(i), 7u, 1.5f, x[i] * x[i]});
  cells.insert(cells.begin() + 1, Cell{1, 2, 3, 0.5f, x[0]});
  std::vector<Cell> copy = cells;
  std::reverse(copy.begin(), copy.end());
  double sum = 0, factor = 1;
  for (Cell &c : copy) {
    c.level++;
    sum += (factor *= 0.9) * (c.value * c.kind + c.level * c.value * c.weight);
  }
  return sum + copy[0].rest;
}
// The last bit field reaches to the byte in front of the number.
struct Flags {
  double value;
  unsigned char on : 1;
  unsigned short count : 9;
  float weight;
};
__attribute__((noinline)) static void move(Flags *to, const Flags *from, int n) {
  memcpy(to, from, n * sizeof(Flags));
}
static double moved(const double *x, int n) {
  Flags from[8], to[8];
  for (int i = 0; i < n; i++) {
    from[i].value = x[i];
    from[i].on = i % 2;
    from[i].count = 100 * i;
    from[i].weight = float(x[i]);
  }
  move(to, from, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += to[i].value * to[i].value * (to[i].on ? 2 : to[i].count) + to[i].weight;
  return sum;
}

int main() {
  double x[5] = {0.5, 1.25, 2, -0.75, 1.5}, t[5] = {1, -2, 0.5, 3, -1};
  CHECK_FUNCTION(refined, 5, x, t, 5);
  double gradient[5] = {0}, tangent = 0;
  GRADIENT_OF((void *)moved, x, gradient, 5);
  for (int i = 0; i < 5; i++) {
    double expected = 2 * x[i] * (i % 2 ? 2 : 100 * i) + 1;
    CHECK_AT("moved", i, gradient[i], expected);
    tangent += expected * t[i];
  }
  CHECK("moved, forward", TANGENT_OF((void *)moved, x, t, 5), tangent);
  return finish();
}
