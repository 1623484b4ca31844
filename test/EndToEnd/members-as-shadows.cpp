// Argument and shadow are members of one record, beside a count: behind the two, the count lies at different distances.
// Copies in vectors tell neither, nor how far they go.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1,-O2,-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <cmath>
#include <numeric>
#include <vector>

struct Case {
  double x[4], dx[4], y[8];
  int n;
  double found[3];
};
static double fitted(double *x, double *y, int n, double a) {
  std::vector<double> v(x, x + n);
  v.push_back(a);
  for (int i = 0; i < n; i++)
    v.push_back(v[i] * y[i]);
  y[1] = std::sin(y[1] + v.back());
  return std::accumulate(v.begin(), v.end(), a) * v[0];
}
__attribute__((noinline)) static void run(Case *cases, int which) {
  Case &c = cases[which];
  double dy[8] = {0};
  double da = __enzyme_autodiff<double>((void *)fitted, enzyme_dup, c.x, c.dx, enzyme_dup, c.y, dy,
                                        enzyme_const, c.n, 2.0);
  c.found[0] = da;
  c.found[1] = dy[0];
}
int main() {
  Case cases[2] = {};
  for (Case &c : cases) {
    c.n = 3;
    for (int i = 0; i < 4; i++)
      c.x[i] = 0.5 + i, c.y[i] = 1.5 - i;
  }
  Case start = cases[1];
  run(cases, 1);
  double a = 2;
  auto value = [&] {
    Case c = start;
    return fitted(c.x, c.y, c.n, a);
  };
  CHECK("a", cases[1].found[0], SLOPE(a, value()));
  CHECK("y", cases[1].found[1], SLOPE(start.y[0], value()));
  for (int i = 0; i < 4; i++)
    CHECK_AT("x", i, cases[1].dx[i], SLOPE(start.x[i], value()));
  CHECK("count", cases[0].n + cases[1].n, 6);
  return finish();
}
