// Virtual functions, std::function, lambdas through pointers, std::sort; text and streams beside them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0 --keep plan --flag=-std=c++20 --no-verify %s
#include "check.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <iostream>
#include <string>
#include <vector>

struct Shape {
  double scale;
  Shape(double s) : scale(s) {}
  virtual ~Shape() {}
  virtual double area(double x) const = 0;
  virtual double twice(double x) const { return 2 * area(x) * scale; }
};
struct Square : Shape {
  using Shape::Shape;
  double area(double x) const override { return scale * x * x; }
};
struct Wave : Shape {
  double phase;
  Wave(double s, double p) : Shape(s), phase(p) {}
  double area(double x) const override { return std::sin(scale * x + phase); }
  double twice(double x) const override { return area(x) * area(x); }
};
__attribute__((noinline)) static double total(const std::vector<Shape *> &shapes, double x) {
  double sum = 0;
  for (const Shape *s : shapes)
    sum += s->area(x) * s->twice(x);
  return sum;
}
__attribute__((noinline)) static double integrate(const std::function<double(double)> &f, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += f((i + 0.5) / n) / n;
  return sum;
}
double program(const double *in, int n) {
  Square a(in[0]), b(in[1]);
  Wave c(in[2], in[3]);
  std::vector<Shape *> shapes{&a, &c, &b};
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += total(shapes, in[i]);
  double slope = in[4];
  sum += integrate([&](double t) { return t * slope * slope; }, 4);
  sum += integrate([&](double t) { return std::cos(t * in[5]); }, 4);
  std::vector<double> sorted(in, in + n);
  std::sort(sorted.begin(), sorted.end(), [](double x, double y) { return x > y; });
  for (int i = 0; i < n; i++)
    sum += i * sorted[i];
  if (sum > 1e6) {
    std::string text = "large: " + std::to_string(sum);
    std::cout << text << sum << std::endl;
  }
  return sum;
}
int main() {
  double x[6], d[6] = {0}, t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  __enzyme_autodiff<void>((void *)program, enzyme_dup, x, d, enzyme_const, 6);
  CHECK_SLOPES_WITHIN(1e-4, "program", 6, x, d, program(x, 6));
  CHECK_FORWARD("program", __enzyme_fwddiff<double>((void *)program, enzyme_dup, x, t, enzyme_const, 6), 6, t, d);
  return finish();
}
