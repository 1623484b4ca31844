// Shared objects of two classes behind one base: what releases them calls virtual functions of the record that counts
// owners, and of the shapes, which are no such records.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double scale) const = 0;
  virtual double twice(double scale) const { return area(scale) + area(2 * scale); }
};
struct Disc : Shape {
  double radius;
  explicit Disc(double r) : radius(r) {}
  double area(double scale) const override { return scale * radius * radius; }
};
struct Box : Disc {
  std::vector<double> sides;
  Box(double a, double b) : Disc(b), sides{a, b, a * b} {}
  double area(double scale) const override { return scale * sides[0] * sides[2]; }
  double twice(double scale) const override { return Disc::twice(scale) * sides[1]; }
};

static double areas(const double *in, int n) {
  std::vector<std::shared_ptr<Shape>> all;
  for (int i = 0; i < n; i++) {
    if (i % 3)
      all.push_back(std::make_shared<Disc>(in[i]));
    else
      all.push_back(std::make_shared<Box>(in[0], in[i]));
  }
  double sum = in[1];
  for (const auto &shape : all)
    sum = sin(sum + shape->twice(in[2]));
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, areas, 6, x, t, 6);
  return finish();
}
