// Derivatives by the C++ header are checked like any others: vectors, structures, lambdas.
// RUN: %clangxx -std=c++20 -O0 -g -mllvm -isozyme-check %s -o %t0
// RUN: %clangxx -std=c++20 -O2 -g -mllvm -isozyme-check %s -o %t2
// RUN: %t0 2>&1 | FileCheck %s
// RUN: %t2 2>&1 | FileCheck %s
#include <cmath>
#include <cstdio>
#include <isozyme/isozyme.hpp>
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

int main() {
  using namespace isozyme;
  std::vector<double> x = {1, 2, 2};
  auto g = grad(length)(x);
  std::printf("%g %g\n", g[0], jvp([](double t) { return t * std::sin(t); }, at(2.0), along(1.0)).tangent);
  // CHECK: isozyme check: 2 calls checked, 0 wrong
}
