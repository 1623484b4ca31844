//===- gmm.cpp - Gradient of a Gaussian mixture likelihood ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "objective.h"

#include "../timing.h"

int main() {
  const int d = 10, k = 25, n = 400, m = 0, size = d + d * (d - 1) / 2;
  std::vector<double> x = numbers(k + k * d + k * size, 1, -0.5, 0.5);
  std::vector<double> dx(x.size()), points = numbers(n * d, 2, -1.5, 1.5);
  auto primal = [&] {
    const double value =
        likelihood(d, k, n, x.data(), x.data() + k, x.data() + k + k * d, points.data(), 1.0, m);
    use(value);
    return value;
  };
  auto gradient = [&] {
    std::fill(dx.begin(), dx.end(), 0.0);
    __enzyme_autodiff<void>((void *)likelihood, enzyme_const, d, enzyme_const, k, enzyme_const, n,
                            enzyme_dup, x.data(), dx.data(), enzyme_dup, x.data() + k,
                            dx.data() + k, enzyme_dup, x.data() + k + k * d, dx.data() + k + k * d,
                            enzyme_const, points.data(), enzyme_const, 1.0, enzyme_const, m);
    use(dx[0]);
  };
  return report("gmm", "d=10 k=25 n=400", primal, gradient, [&] {
    gradient();
    return slopeError(primal, x, dx);
  });
}
