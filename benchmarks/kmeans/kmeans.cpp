//===- kmeans.cpp - Squares of distances to the nearest centre ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables are the centres.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Clusters {
public:
  static constexpr const char *Name = "kmeans";
  static constexpr Size Sizes[] = {
      {"20-3-2", 20, 3, 2}, {"10000-10-3", 10000, 10, 3}, {"2000-50-32", 2000, 50, 32}};

  explicit Clusters(const Size &size)
      : count(size.a), centres(size.b), width(size.c), x(numbers(centres * width, 1, -1, 1)),
        points(numbers(count * width, 2, -1, 1)) {}

  template <typename Real> Real value(const Real *at) const {
    Real sum = 0.0;
    for (int p = 0; p < count; p++) {
      Real nearest = 1e300;
      for (int c = 0; c < centres; c++) {
        const Real square = distance(at + c * width, &points[p * width]);
        if (square < nearest)
          nearest = square;
      }
      sum += nearest;
    }
    return sum;
  }

  /// The nearest centre gets twice the difference.
  void byHand(const double *at, double *g) const {
    for (int p = 0; p < count; p++) {
      double nearest = 1e300;
      int which = 0;
      for (int c = 0; c < centres; c++) {
        const double square = distance(at + c * width, &points[p * width]);
        if (square < nearest) {
          nearest = square;
          which = c;
        }
      }
      for (int i = 0; i < width; i++)
        g[which * width + i] += 2 * (at[which * width + i] - points[p * width + i]);
    }
  }

private:
  template <typename Real> Real distance(const Real *centre, const double *point) const {
    Real sum = 0.0;
    for (int i = 0; i < width; i++)
      sum += (centre[i] - point[i]) * (centre[i] - point[i]);
    return sum;
  }

  const int count, centres, width;

public:
  std::vector<double> x;

private:
  const std::vector<double> points;
};

} // namespace

int main(int count, char **arguments) { return serve<Clusters>(count, arguments); }
