// A profiler is told of the user's functions, not of those of the headers, which stand between a call and
// the function that it differentiates.
// RUN: %preload%isozyme c++ -O0 -finstrument-functions %s -o %t && %t | FileCheck %s
// RUN: %preload%isozyme c++ -O2 -finstrument-functions %s -o %t && %t | FileCheck %s
// CHECK: gradient 2 8 18
// CHECK: value 36, along 28
#include <cstdio>
#include <isozyme/isozyme.hpp>
#include <vector>

static double weighted(const std::vector<double> &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += x[i] * x[i] * (i + 1);
  return sum;
}
int main() {
  const std::vector<double> x{1, 2, 3}, v{1, 1, 1};
  auto g = isozyme::grad(weighted)(x);
  std::printf("gradient %g %g %g\n", g[0], g[1], g[2]);
  auto [value, along] = isozyme::jvp(weighted, isozyme::at(x), isozyme::along(v));
  std::printf("value %g, along %g\n", value, along);
}
