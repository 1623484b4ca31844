// Derivatives by the C++ header are checked like any others: vectors, structures, lambdas.
// RUN: %clangxx -std=c++20 -O0 -g -mllvm -isozyme-check %s -o %t0
// RUN: %clangxx -std=c++20 -O2 -g -mllvm -isozyme-check %s -o %t2
// RUN: %t0 2>&1 | FileCheck %s
// RUN: %t2 2>&1 | FileCheck %s
// RUN: not %t0 wrong 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %t2 wrong 2>&1 | FileCheck --check-prefix=WRONG %s
#include <cmath>
#include <cstdio>
#include <isozyme/isozyme.hpp>
#include <stdexcept>
#include <vector>

double length(const std::vector<double> &x) {
  std::vector<double> squares;
  for (double v : x)
    squares.push_back(v * v);
  double s = 0;
  for (double v : squares)
    s += v;
  return std::sqrt(s);
}

__attribute__((noinline)) double cube(double x) { return x * x * x; }
double augmentCube(double x) { return x * x * x; }
double gradientCube(double x, double seed) { return 2 * x * x * seed; }
extern "C" void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmentCube,
                                                      (void *)gradientCube};

// What is thrown and not caught has no derivative to be checked.
double positive(const std::vector<double> &x) {
  std::vector<double> all;
  double s = 0;
  for (double v : x) {
    if (v < 0)
      throw std::invalid_argument("negative");
    all.push_back(v * v);
    s += all.at(all.size() - 1);
  }
  return s;
}

int main(int argc, char **) {
  using namespace isozyme;
  // WRONG: headers.cpp:[[#@LINE+3]]:{{[0-9]+}}: isozyme check: the gradient of 'main::{{.*}}' is wrong at argument 2: reverse mode 36, differences 54, forward mode 54
  if (argc > 1) {
    auto product = [](double a, double b) { return a * cube(b); };
    return std::get<0>(grad(product)(2.0, 3.0)) == 0;
  }
  grad(positive)(std::vector<double>{1, 2});
  std::vector<double> x = {1, 2, 2};
  auto g = grad(length)(x);
  std::printf("%g %g\n", g[0], jvp([](double t) { return t * std::sin(t); }, at(2.0), along(1.0)).tangent);
  // CHECK: isozyme check: 3 calls checked, 0 wrong
}
