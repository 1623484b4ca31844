//===- scratch.cpp - A buffer that each iteration fills and reads ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each variable the polynomials of Legendre up to a degree, by their recurrence, into a
// buffer that is then read in the other direction.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Scratch {
public:
  static constexpr const char *Name = "scratch";
  static constexpr Size Sizes[] = {{"9-5", 9, 5}, {"10000-20", 10000, 20}, {"2000-200", 2000, 200}};

  explicit Scratch(const Size &size)
      : count(size.a), degree(size.b), x(numbers(count, 1, -0.9, 0.9)),
        weights(numbers(degree, 2, -1, 1)) {}

  template <typename Real> Real value(const Real *at) const {
    std::vector<Real> p(degree);
    Real sum = 0.0;
    for (int i = 0; i < count; i++) {
      p[0] = 1.0;
      p[1] = at[i];
      for (int k = 1; k + 1 < degree; k++)
        p[k + 1] = ((2 * k + 1) * at[i] * p[k] - double(k) * p[k - 1]) / (k + 1.0);
      for (int k = 0; k < degree; k++)
        sum += weights[k] * p[k] * p[degree - 1 - k];
    }
    return sum;
  }

  void byHand(const double *at, double *g) const {
    std::vector<double> p(degree), d(degree), inverse(degree);
    for (int k = 0; k + 1 < degree; k++)
      inverse[k] = 1 / (k + 1.0);
    for (int i = 0; i < count; i++) {
      const double t = at[i];
      p[0] = 1;
      p[1] = t;
      for (int k = 1; k + 1 < degree; k++)
        p[k + 1] = ((2 * k + 1) * t * p[k] - k * p[k - 1]) * inverse[k];
      for (int k = 0; k < degree; k++)
        d[k] = (weights[k] + weights[degree - 1 - k]) * p[degree - 1 - k];
      double sum = 0;
      for (int k = degree - 2; k > 0; k--) {
        const double by = d[k + 1] * inverse[k];
        sum += by * (2 * k + 1) * p[k];
        d[k] += by * (2 * k + 1) * t;
        d[k - 1] -= by * k;
      }
      g[i] = sum + d[1];
    }
  }

private:
  const int count, degree;

public:
  std::vector<double> x;

private:
  const std::vector<double> weights;
};

} // namespace

int main(int count, char **arguments) { return serve<Scratch>(count, arguments); }
