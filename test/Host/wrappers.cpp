// The function may reach the call through templates, lambdas and variables, at every level.
// RUN: %clangxx -O0 %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O1 %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O2 -g %s -o %t && %t | FileCheck %s
#include <cmath>
#include <cstdio>

template <typename... Args> double __enzyme_autodiff(double (*)(double), Args...);

double cube(double X) { return X * X * X; }
template <typename F> double slope(F Fn, double X) { return __enzyme_autodiff(Fn, X); }
template <typename F> double slopeOf(F &&Fn, double X) { return slope(Fn, X); }

int main() {
  double (*Variable)(double) = cube;
  // CHECK: 12 27 12 4
  std::printf("%g %g %g %g\n", slope(cube, 2), slopeOf(cube, 3), __enzyme_autodiff(Variable, 2.0),
              slope(+[](double X) { return X * X; }, 2));
}
