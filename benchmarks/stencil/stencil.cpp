//===- stencil.cpp - Gradient through a diffusion in time -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../timing.h"
#include "diffuse.h"

int main() {
  const int n = 1000, steps = 200;
  std::vector<double> x = numbers(n, 1, 0, 1), dx(n), a(n), b(n), da(n), db(n);
  auto primal = [&] {
    const double value = diffuse(x.data(), a.data(), b.data(), n, steps);
    use(value);
    return value;
  };
  auto gradient = [&] {
    for (std::vector<double> *v : {&dx, &da, &db})
      std::fill(v->begin(), v->end(), 0.0);
    __enzyme_autodiff<void>((void *)diffuse, enzyme_dup, x.data(), dx.data(), enzyme_dupnoneed,
                            a.data(), da.data(), enzyme_dupnoneed, b.data(), db.data(),
                            enzyme_const, n, enzyme_const, steps);
    use(dx[0]);
  };
  return report("stencil", "1000 points, 200 steps", primal, gradient, [&] {
    gradient();
    return slopeError(primal, x, dx);
  });
}
