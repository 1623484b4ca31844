//===- lennardjones.cpp - Energy of atoms ---------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The potential of Lennard and Jones, 4 (r^-12 - r^-6), of all pairs within a distance;
// variables are the places.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Atoms {
public:
  static constexpr const char *Name = "lennardjones";
  static constexpr Size Sizes[] = {{"8", 2}, {"343", 7}, {"1000", 10}};

  explicit Atoms(const Size &size) : count(size.a * size.a * size.a), x(3 * count) {
    const std::vector<double> shift = numbers(3 * count, 1, -0.15, 0.15);
    for (int i = 0; i < count; i++) {
      x[3 * i] = 1.1 * (i % size.a) + shift[3 * i];
      x[3 * i + 1] = 1.1 * (i / size.a % size.a) + shift[3 * i + 1];
      x[3 * i + 2] = 1.1 * (i / (size.a * size.a)) + shift[3 * i + 2];
    }
  }

  template <typename Real> Real value(const Real *at) const {
    Real energy = 0.0;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < i; j++) {
        const Real dx = at[3 * i] - at[3 * j], dy = at[3 * i + 1] - at[3 * j + 1],
                   dz = at[3 * i + 2] - at[3 * j + 2];
        const Real square = dx * dx + dy * dy + dz * dz;
        if (square < Reach * Reach) {
          const Real over = 1.0 / square, sixth = over * over * over;
          energy += 4.0 * (sixth * sixth - sixth);
        }
      }
    return energy;
  }

  /// The forces of molecular dynamics: those of a pair are opposite.
  void byHand(const double *at, double *g) const {
    for (int i = 0; i < count; i++) {
      double sum[3] = {0, 0, 0};
      for (int j = 0; j < i; j++) {
        double d[3], square = 0;
        for (int c = 0; c < 3; c++) {
          d[c] = at[3 * i + c] - at[3 * j + c];
          square += d[c] * d[c];
        }
        if (square >= Reach * Reach)
          continue;
        const double over = 1 / square, sixth = over * over * over;
        const double by = -24 * over * (2 * sixth * sixth - sixth);
        for (int c = 0; c < 3; c++) {
          sum[c] += by * d[c];
          g[3 * j + c] -= by * d[c];
        }
      }
      for (int c = 0; c < 3; c++)
        g[3 * i + c] += sum[c];
    }
  }

private:
  static constexpr double Reach = 3;

  const int count;

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<Atoms>(count, arguments); }
