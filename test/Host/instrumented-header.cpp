// A profiler is told of the user's functions, not of those of the headers, which stand between a call and
// the function that it differentiates. Nor is it told of functions whose symbol the library may lack: a string's
// allocator is here for inlining only, and without a symbol the program does not link.
// RUN: %preload%isozyme c++ -O0 -finstrument-functions %s -o %t && %t | FileCheck %s
// RUN: %preload%isozyme c++ -O2 -finstrument-functions %s -o %t && %t | FileCheck %s
// CHECK: gradient 2 8 18
// CHECK: value 36, along 28
// CHECK: heat 2, gain 6
#include <cstdio>
#include <isozyme/isozyme.hpp>
#include <map>
#include <string>
#include <vector>

static double weighted(const std::vector<double> &x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += x[i] * x[i] * (i + 1);
  return sum;
}
static double named(const std::map<std::string, double> &rates) {
  double gain = rates.at("gain of the amplifier");
  return 2 * rates.at("heat") + gain * gain;
}
int main() {
  const std::vector<double> x{1, 2, 3}, v{1, 1, 1};
  auto g = isozyme::grad(weighted)(x);
  std::printf("gradient %g %g %g\n", g[0], g[1], g[2]);
  auto [value, along] = isozyme::jvp(weighted, isozyme::at(x), isozyme::along(v));
  std::printf("value %g, along %g\n", value, along);
  auto d = isozyme::grad(named)(std::map<std::string, double>{{"heat", 1}, {"gain of the amplifier", 3}});
  std::printf("heat %g, gain %g\n", d["heat"], d["gain of the amplifier"]);
}
