// Before the link it is not known what a pointer or a virtual call leads to, nor where a variable
// of another file has its derivative: such a call is left to the linker's run, too.
// REQUIRES: lld
// RUN: rm -rf %t && split-file %s %t
// RUN: %preload%isozyme c++ -O0 -flto %t/call.cpp %t/shapes.cpp -o %t/program && %t/program | FileCheck %s
// RUN: %preload%isozyme c++ -O2 -flto %t/call.cpp %t/shapes.cpp -o %t/program && %t/program | FileCheck %s
// CHECK: 4 6
// CHECK-NEXT: 10
// CHECK-NEXT: 7 0.5

//--- shapes.h
#include <vector>
struct Shape {
  virtual ~Shape() = default;
  virtual double area(double x) const = 0;
};
Shape *makeShape(bool round);
extern double total;
void add(const std::vector<double> &v);

//--- call.cpp
#include "shapes.h"
#include <cstdio>
#include <isozyme/isozyme.h>
template <class... Args> double __enzyme_autodiff(void *, Args...);
// One class is here, the other is not.
struct Square : Shape {
  double area(double x) const override { return x * x; }
};
static double area(const Shape *s, double x) { return s->area(x); }
static double sum(double x) {
  total = 0;
  add({x, x * x, 3.0});
  return 2 * total;
}
static double kept(const std::vector<double> *v, double x) {
  double s = 0;
  for (double e : *v)
    s += e * x;
  return s;
}
int main() {
  Square square;
  Shape *other = makeShape(true);
  printf("%g %g\n", __enzyme_autodiff((void *)area, enzyme_const, &square, enzyme_out, 2.0),
         __enzyme_autodiff((void *)area, enzyme_const, other, enzyme_out, 2.0));
  printf("%g\n", __enzyme_autodiff((void *)sum, 2.0));
  std::vector<double> v{3, 4}, dv{0, 0};
  double d = __enzyme_autodiff((void *)kept, enzyme_dup, &v, &dv, enzyme_out, 0.5);
  printf("%g %g\n", d, dv[1]);
  delete other;
}

//--- shapes.cpp
#include "shapes.h"
struct Disc : Shape {
  double area(double x) const override { return 3 * x; }
};
struct Ring : Shape {
  double area(double x) const override { return 1.5 * x * x; }
};
Shape *makeShape(bool round) { return round ? (Shape *)new Ring : new Disc; }
double total;
void add(const std::vector<double> &v) {
  for (double e : v)
    total += e;
}
