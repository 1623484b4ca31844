//===- cholesky.cpp - Gradient of a log-determinant -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A = L L^T for a symmetric, positive definite A, and log det A = 2 sum log L_ii: three nested
// loops, of which the inner ones run as often as the outer counters say. Variables are all
// entries, of which the lower triangle is read. By hand: the gradient is the inverse of A.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Cholesky {
public:
  static constexpr const char *Name = "cholesky";
  static constexpr Size Sizes[] = {{"6", 6}, {"100", 100}, {"300", 300}};

  explicit Cholesky(const Size &size) : n(size.a), x(n * n) {
    const std::vector<double> b = numbers(n * n, 5, -1, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        x[i * n + j] = i == j ? n : 0;
        for (int k = 0; k < n; k++)
          x[i * n + j] += b[i * n + k] * b[j * n + k];
      }
  }

  template <typename Real> Real value(const Real *a) const {
    using std::log;
    using std::sqrt;
    std::vector<Real> factor(n * n);
    Real sum = 0.0, *l = factor.data();
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        Real rest = a[i * n + j];
        for (int k = 0; k < j; k++)
          rest -= l[i * n + k] * l[j * n + k];
        if (i == j) {
          l[i * n + i] = sqrt(rest);
          sum += log(rest);
        } else {
          l[i * n + j] = rest / l[j * n + j];
        }
      }
    return sum;
  }

  void byHand(const double *a, double *g) const {
    std::vector<double> factor(n * n), inverse(n * n);
    double *l = factor.data(), *m = inverse.data();
    decompose(a, l);
    // m = the inverse of L, row by row.
    for (int i = 0; i < n; i++) {
      double *row = m + i * n;
      for (int k = 0; k < i; k++)
        add(-l[i * n + k], m + k * n, row, k + 1);
      for (int j = 0; j < i; j++)
        row[j] /= l[i * n + i];
      row[i] = 1 / l[i * n + i];
    }
    // The inverse of A is m^T m; its lower triangle stands for both.
    for (int k = 0; k < n; k++)
      for (int i = 0; i <= k; i++)
        add(2 * m[k * n + i], m + k * n, g + i * n, i + 1);
    for (int i = 0; i < n; i++)
      g[i * n + i] /= 2;
  }

private:
  void decompose(const double *a, double *l) const {
    // By columns of the rest, so that the inner loop has no sum to wait for: l holds L^T first.
    std::vector<double> upper(n * n);
    double *u = upper.data();
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        u[j * n + i] = a[i * n + j];
    for (int k = 0; k < n; k++) {
      const double root = std::sqrt(u[k * n + k]);
      for (int i = k; i < n; i++)
        u[k * n + i] /= root;
      for (int j = k + 1; j < n; j++)
        add(-u[k * n + j], u + k * n + j, u + j * n + j, n - j);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        l[i * n + j] = u[j * n + i];
  }

  static void add(double factor, const double *__restrict from, double *__restrict to, int count) {
    for (int i = 0; i < count; i++)
      to[i] += factor * from[i];
  }

  const int n;

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<Cholesky>(count, arguments); }
