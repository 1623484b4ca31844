//===- convolution.cpp - A layer of convolutions --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of 3 x 3 on the channels of an image, then y / sqrt(1 + y^2), and a weighted sum;
// variables are filters and image.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Side = 3, Channels = 3 };

class Convolution {
public:
  static constexpr const char *Name = "convolution";
  static constexpr Size Sizes[] = {{"2-7x7", 2, 7}, {"8-32x32", 8, 32}, {"16-64x64", 16, 64}};

  explicit Convolution(const Size &size)
      : filters(size.a), width(size.b), inner(width - Side + 1),
        image(filters * Channels * Side * Side),
        x(numbers(image + Channels * width * width, 1, -0.5, 0.5)),
        weights(numbers(filters * inner * inner, 2, -1, 1)) {}

  template <typename Real> Real value(const Real *at) const {
    using std::sqrt;
    Real total = 0.0;
    std::vector<Real> row(inner);
    for (int f = 0; f < filters; f++)
      for (int y = 0; y < inner; y++) {
        respond(at, f, y, row.data());
        const double *w = &weights[(f * inner + y) * inner];
        for (int i = 0; i < inner; i++)
          total += w[i] * row[i] / sqrt(1.0 + row[i] * row[i]);
      }
    return total;
  }

  /// A row of results and at once its adjoint.
  void byHand(const double *at, double *g) const {
    std::vector<double> row(inner);
    for (int f = 0; f < filters; f++)
      for (int y = 0; y < inner; y++) {
        respond(at, f, y, row.data());
        const double *w = &weights[(f * inner + y) * inner];
        for (int i = 0; i < inner; i++) {
          const double square = 1 + row[i] * row[i];
          row[i] = w[i] / (square * std::sqrt(square));
        }
        for (int c = 0; c < Channels; c++)
          for (int dy = 0; dy < Side; dy++)
            for (int dx = 0; dx < Side; dx++)
              adjoint(row.data(), at[filter(f, c, dy, dx)], at + pixel(c, y + dy, dx),
                      g[filter(f, c, dy, dx)], g + pixel(c, y + dy, dx));
      }
  }

private:
  int filter(int f, int c, int dy, int dx) const {
    return ((f * Channels + c) * Side + dy) * Side + dx;
  }
  int pixel(int c, int y, int i) const { return image + (c * width + y) * width + i; }

  template <typename Real> void respond(const Real *at, int f, int y, Real *row) const {
    for (int i = 0; i < inner; i++)
      row[i] = 0.0;
    for (int c = 0; c < Channels; c++)
      for (int dy = 0; dy < Side; dy++)
        for (int dx = 0; dx < Side; dx++) {
          const Real factor = at[filter(f, c, dy, dx)], *from = at + pixel(c, y + dy, dx);
          for (int i = 0; i < inner; i++)
            row[i] += factor * from[i];
        }
  }

  void adjoint(const double *__restrict row, double factor, const double *__restrict from,
               double &dFactor, double *__restrict dFrom) const {
    double sums[4] = {0, 0, 0, 0}; // so that additions need not wait for each other
    int i = 0;
    for (; i + 4 <= inner; i += 4)
      for (int k = 0; k < 4; k++) {
        dFrom[i + k] += factor * row[i + k];
        sums[k] += from[i + k] * row[i + k];
      }
    for (; i < inner; i++) {
      dFrom[i] += factor * row[i];
      sums[0] += from[i] * row[i];
    }
    dFactor += (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  const int filters, width, inner, image;

public:
  std::vector<double> x;

private:
  const std::vector<double> weights;
};

} // namespace

int main(int count, char **arguments) { return serve<Convolution>(count, arguments); }
