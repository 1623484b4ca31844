// Second derivatives of containers that grow, forward over reverse: a callee that only releases
// what a vector had before has nothing to differentiate, and still releases the tangent's memory.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1,-O2 --keep=plan %s
#include "check.h"
#include <cmath>
#include <memory>
#include <vector>

struct Disc {
  double q;
  explicit Disc(double r) : q(r) {}
  double area(double p) const { return std::sin(p * q); }
};
static double shared(const double *x, int n) {
  std::vector<std::shared_ptr<Disc>> all;
  for (int i = 0; i < n; i++)
    all.push_back(std::make_shared<Disc>(x[i % 3]));
  double sum = 0;
  for (auto &disc : all)
    sum += disc->area(x[2]);
  return sum;
}
static double replaced(const double *x, int n) {
  std::shared_ptr<Disc> last;
  for (int i = 0; i < n; i++)
    last = std::make_shared<Disc>(x[i % 3] * (last ? last->q : 1));
  return last->area(x[1]);
}
static double rows(const double *x, int n) {
  std::vector<std::vector<double>> all;
  for (int i = 0; i < n; i++)
    all.push_back({x[i % 3], x[0]});
  double sum = 0;
  for (auto &row : all)
    sum += std::sin(row[0] * x[1]) * row[1];
  return sum;
}

#define SECOND(F)                                                                                  \
  static void gradientOf_##F(const double *x, double *dx, int n) {                                 \
    __enzyme_autodiff<void>((void *)F, enzyme_dup, x, dx, enzyme_const, n);                        \
  }                                                                                                \
  static void check_##F(double *x, const double *t, int n) {                                       \
    double dx[3] = {0}, twice[3] = {0};                                                            \
    __enzyme_fwddiff<void>((void *)gradientOf_##F, enzyme_dup, x, t, enzyme_dup, dx, twice,        \
                           enzyme_const, n);                                                       \
    for (int i = 0; i < 3; i++) {                                                                  \
      double h = 1e-3, there[3] = {x[0] + h * t[0], x[1] + h * t[1], x[2] + h * t[2]},             \
             back[3] = {x[0] - h * t[0], x[1] - h * t[1], x[2] - h * t[2]}, up[3] = {0},           \
             down[3] = {0};                                                                        \
      gradientOf_##F(there, up, n);                                                                \
      gradientOf_##F(back, down, n);                                                               \
      checkWithin(#F, i, twice[i], (up[i] - down[i]) / (2 * h), 1e-5, 1e-6);                       \
    }                                                                                              \
  }
SECOND(shared)
SECOND(replaced)
SECOND(rows)

int main() {
  double x[3] = {0.3, 0.4, 0.5}, t[3] = {1, -0.5, 0.25};
  for (int n = 1; n < 6; n += 2) {
    check_shared(x, t, n);
    check_replaced(x, t, n);
    check_rows(x, t, n);
  }
  return finish();
}
