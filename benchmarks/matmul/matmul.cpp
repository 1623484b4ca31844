//===- matmul.cpp - Gradient of a matrix product --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../timing.h"
#include "product.h"

int main() {
  const int n = 100;
  std::vector<double> x = numbers(2 * n * n, 1, -1, 1), dx(x.size()), c(n * n), dc(n * n);
  auto primal = [&] {
    const double value = product(x.data(), x.data() + n * n, c.data(), n);
    use(value);
    return value;
  };
  auto gradient = [&] {
    std::fill(dx.begin(), dx.end(), 0.0);
    std::fill(dc.begin(), dc.end(), 0.0);
    __enzyme_autodiff<void>((void *)product, enzyme_dup, x.data(), dx.data(), enzyme_dup,
                            x.data() + n * n, dx.data() + n * n, enzyme_dupnoneed, c.data(),
                            dc.data(), enzyme_const, n);
    use(dx[0]);
  };
  return report("matmul", "100 x 100", primal, gradient, [&] {
    gradient();
    return slopeError(primal, x, dx);
  });
}
