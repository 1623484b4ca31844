//===- logsumexp.cpp - Logarithms of sums of exponentials -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class LogSumExp {
public:
  static constexpr const char *Name = "logsumexp";
  static constexpr Size Sizes[] = {
      {"3x7", 3, 7}, {"1000x100", 1000, 100}, {"1000x1000", 1000, 1000}};

  explicit LogSumExp(const Size &size)
      : rows(size.a), columns(size.b), x(numbers(std::size_t(rows) * columns, 1, -3, 3)) {}

  template <typename Real> Real value(const Real *at) const {
    using std::exp;
    using std::log;
    Real total = 0.0;
    for (int r = 0; r < rows; r++) {
      const Real *row = at + std::size_t(r) * columns;
      Real largest = row[0];
      for (int i = 1; i < columns; i++)
        if (largest < row[i])
          largest = row[i];
      Real sum = 0.0;
      for (int i = 0; i < columns; i++)
        sum += exp(row[i] - largest);
      total += log(sum) + largest;
    }
    return total;
  }

  void byHand(const double *at, double *g) const {
    for (int r = 0; r < rows; r++) {
      const double *row = at + std::size_t(r) * columns;
      double *out = g + std::size_t(r) * columns, largest = row[0], sum = 0;
      for (int i = 1; i < columns; i++)
        largest = largest < row[i] ? row[i] : largest;
      for (int i = 0; i < columns; i++)
        sum += out[i] = std::exp(row[i] - largest);
      for (int i = 0; i < columns; i++)
        out[i] *= 1 / sum;
    }
  }

private:
  const int rows, columns;

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<LogSumExp>(count, arguments); }
