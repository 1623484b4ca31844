// A function of numbers that lie in a large record of its caller's, of which debug information says a lot.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --keep plan --flag=-std=c++20 --flag=-g %s
#include "check.h"
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double scale) const = 0;
};
struct Disc : Shape {
  double radius;
  explicit Disc(double r) : radius(r) {}
  double area(double scale) const override { return scale * radius * radius; }
};

static double areas(const double *in, int n) {
  std::vector<double> sizes(in, in + n);
  sizes.push_back(in[0] * in[1]);
  std::vector<std::shared_ptr<Shape>> all;
  all.push_back(std::make_shared<Disc>(sizes[0]));
  return all[0]->area(in[1]) * sizes.back();
}

struct Study {
  double x[5], y[3], scale;
  double along[8][5], across[8][3], at[8];
  double value, after[5], before[3];
  double rows[8][5], columns[8][3], rest[8];
};
static Study study;

template <typename... Arguments> void __enzyme_autodiff(Arguments...);
extern int enzyme_dup, enzyme_const;

__attribute__((noinline)) static void examine(Study *s) {
  double *x = s->x, *slope = s->along[0];
  double (*rows)[5] = s->rows;
  for (int i = 0; i < 5; i++)
    rows[i][i] = s->columns[i][i % 3] = s->across[i][i % 3] = s->after[i] = x[i] = 0.5 + 0.25 * i;
  __enzyme_autodiff((void *)areas, enzyme_dup, x, slope, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    CHECK_AT("areas", i, slope[i], SLOPE(s->x[i], areas(s->x, 5)));
}

int main() {
  examine(&study);
  return finish();
}
