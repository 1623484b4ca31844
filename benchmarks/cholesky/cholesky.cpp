//===- cholesky.cpp - Gradient of a log-determinant ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = L L^T for a symmetric, positive definite A, and log det A = 2 sum log L_ii: three nested
// loops, of which the inner ones run as often as the outer counters say. By theory, the
// gradient by A is the inverse of A.
//
//===----------------------------------------------------------------------===//
#include "../timing.h"

static double logDeterminant(const double *a, double *l, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double rest = a[i * n + j];
      for (int k = 0; k < j; k++)
        rest -= l[i * n + k] * l[j * n + k];
      if (i == j) {
        l[i * n + i] = std::sqrt(rest);
        sum += std::log(rest);
      } else {
        l[i * n + j] = rest / l[j * n + j];
      }
    }
  return sum;
}

int main() {
  const int n = 100;
  const std::vector<double> b = numbers(n * n, 5, -1, 1);
  std::vector<double> a(n * n), da(n * n), l(n * n), dl(n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i == j ? n : 0;
      for (int k = 0; k < n; k++)
        a[i * n + j] += b[i * n + k] * b[j * n + k];
    }
  auto primal = [&] {
    const double value = logDeterminant(a.data(), l.data(), n);
    use(value);
    return value;
  };
  auto gradient = [&] {
    std::fill(da.begin(), da.end(), 0.0);
    std::fill(dl.begin(), dl.end(), 0.0);
    __enzyme_autodiff<void>((void *)logDeterminant, enzyme_dup, a.data(), da.data(),
                            enzyme_dupnoneed, l.data(), dl.data(), enzyme_const, n);
    use(da[0]);
  };
  return report("cholesky", "100 x 100", primal, gradient, [&] {
    gradient();
    // The lower triangle stands for both: A times the symmetric inverse is the identity.
    double wrong = 0;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++) {
        const double inverse = i == k ? da[i * n + i] : da[std::max(i, k) * n + std::min(i, k)] / 2;
        sum += a[i * n + k] * inverse;
      }
      wrong = std::max(wrong, std::fabs(sum - 1));
    }
    return wrong;
  });
}
