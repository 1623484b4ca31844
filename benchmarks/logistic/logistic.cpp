//===- logistic.cpp - Logistic regression ---------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables are the weights of 50 features.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Regression {
public:
  static constexpr const char *Name = "logistic";
  static constexpr Size Sizes[] = {{"12", 12}, {"500", 500}, {"20000", 20000}};

  explicit Regression(const Size &size) : points(size.a), x(numbers(Features, 7, 0.1, 0.9)) {
    for (int p = 0; p < points; p++)
      for (int i = 0; i < Features; i++)
        features.push_back((p * 31 + i * 17) % 101 / 50.0 - 1);
  }

  template <typename Real> Real value(const Real *weights) const {
    using std::exp;
    using std::log;
    Real sum = 0.0;
    for (int p = 0; p < points; p++) {
      Real z = 0.0;
      for (int i = 0; i < Features; i++)
        z += weights[i] * features[p * Features + i];
      sum += log(1.0 + exp(sign(p) * z));
    }
    return sum;
  }

  void byHand(const double *weights, double *g) const {
    for (int p = 0; p < points; p++) {
      const double *from = &features[p * Features];
      double z = 0, sums[5] = {}; // so that additions need not wait for each other
      for (int i = 0; i < Features; i += 5)
        for (int k = 0; k < 5; k++)
          sums[k] += weights[i + k] * from[i + k];
      for (double sum : sums)
        z += sum;
      const double by = sign(p) / (1 + std::exp(-sign(p) * z));
      for (int i = 0; i < Features; i++)
        g[i] += by * from[i];
    }
  }

private:
  enum { Features = 50 };
  static double sign(int p) { return p % 3 ? 1 : -1; }

  const int points;

public:
  std::vector<double> x;

private:
  std::vector<double> features;
};

} // namespace

int main(int count, char **arguments) { return serve<Regression>(count, arguments); }
