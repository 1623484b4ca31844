// Virtual functions, functions in tables, and output: checked, and printed once.
// RUN: %clangxx -O0 -g -mllvm -isozyme-check %s -o %t0
// RUN: %clangxx -O2 -g -mllvm -isozyme-check %s -o %t2
// RUN: %t0 2 2>&1 | FileCheck --check-prefixes=CHECK,RIGHT %s
// RUN: %t2 2 2>&1 | FileCheck --check-prefixes=CHECK,RIGHT %s
// RUN: not %t0 3 2>&1 | FileCheck --check-prefixes=CHECK,WRONG %s
// RUN: not %t2 3 2>&1 | FileCheck --check-prefixes=CHECK,WRONG %s
// RUN: not %t2 2 random 2>&1 | FileCheck --check-prefix=UNKNOWN %s
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <isozyme/isozyme.h>
#include <memory>
#include <vector>
template <class... A> double __enzyme_autodiff(void *, A...);

static double factor;
__attribute__((noinline)) double square(double x) { return x * x; }
double augmentSquare(double x) { return x * x; }
double reverseSquare(double x, double seed) { return factor * x * seed; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmentSquare,
                                             (void *)reverseSquare};

struct Shape {
  virtual double area() const = 0;
  virtual void print() const = 0;
  virtual ~Shape() = default;
};
struct Circle : Shape {
  double r;
  Circle(double r) : r(r) {}
  double area() const override { return 3 * square(r); }
  void print() const override { std::cout << "circle " << r << std::endl; }
};
struct Box : Shape {
  double a, b;
  Box(double a, double b) : a(a), b(b) {}
  double area() const override { return a * b; }
  void print() const override {
    printf("box %g\n", a);
    fflush(stdout);
  }
};
// Never called, but it might be.
struct Random : Shape {
  double area() const override { return rand(); }
  void print() const override { fopen("/nowhere", "r"); }
};
using Shapes = std::vector<std::unique_ptr<Shape>>;
double total(const Shapes &all) {
  double sum = 0;
  for (auto &shape : all) {
    shape->print();
    sum += shape->area();
  }
  return sum;
}

int main(int argc, char **argv) {
  factor = atof(argv[1]);
  Shapes all, d;
  all.push_back(std::make_unique<Circle>(2));
  all.push_back(std::make_unique<Box>(3, 4));
  d.push_back(std::make_unique<Circle>(0));
  d.push_back(std::make_unique<Box>(0, 0));
  if (argc > 2) {
    all.push_back(std::make_unique<Random>());
    d.push_back(std::make_unique<Random>());
  }
  // CHECK: circle 2
  // CHECK-NEXT: box 3
  // WRONG-NEXT: virtual.cpp:[[#@LINE+4]]:{{[0-9]+}}: isozyme check: the gradient of 'total({{.*}})' is wrong at argument 1 (all), element [0][0][1]: reverse mode 18, differences 12
  // RIGHT-NEXT: isozyme check: 1 call checked, 0 wrong{{$}}
  // UNKNOWN: virtual.cpp:[[#@LINE+2]]:{{[0-9]+}}: isozyme check: not checked: it calls 'fopen', whose effects cannot be taken back
  // UNKNOWN: nothing was checked
  __enzyme_autodiff((void *)total, enzyme_dup, &all, &d);
}
