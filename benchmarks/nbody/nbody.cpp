//===- nbody.cpp - Gradient through the solar system of docs/examples -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../docs/examples/nbody/mismatch.hpp"
#include "../../docs/examples/nbody/simulator.cpp"

#include "../timing.h"

int main() {
  using namespace nbody;
  const System nominal = outerSolarSystem();
  System moving = nominal;
  const std::vector<Observation> seen = observe(moving, 1200, 30);
  const int count = static_cast<int>(seen.size());
  std::vector<double> x = {1.2, 5.7, -4.0, -1.95}, dx(UnknownCount);
  auto primal = [&] {
    const double value = mismatch(x.data(), &nominal, seen.data(), count);
    use(value);
    return value;
  };
  auto gradient = [&] {
    std::fill(dx.begin(), dx.end(), 0.0);
    __enzyme_autodiff<void>((void *)mismatch, enzyme_dup, x.data(), dx.data(), enzyme_const,
                            &nominal, enzyme_const, seen.data(), enzyme_const, count);
    use(dx[0]);
  };
  return report("nbody", "6 bodies, 1200 steps", primal, gradient, [&] {
    gradient();
    return slopeError(primal, x, dx);
  });
}
