//===- eos.cpp - Density of sea water -------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equation of state of UNESCO (1980): polynomials in temperature, salinity and its square
// root, and pressure. Variables are temperature and salinity of many cells; the result is the
// sum of the squares of what the densities differ from a mean one.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

/// A polynomial, the constant first.
template <typename Real, int N> Real polynomial(const double (&c)[N], const Real &t) {
  Real sum = c[N - 1];
  for (int i = N - 1; i-- > 0;)
    sum = sum * t + c[i];
  return sum;
}

/// A polynomial and its derivative.
struct Slope {
  template <int N> Slope(const double (&c)[N], double t) : value(c[N - 1]), slope(0) {
    for (int i = N - 1; i-- > 0;) {
      slope = slope * t + value;
      value = value * t + c[i];
    }
  }
  double value, slope;
};

// Density at the surface: of pure water, by s, by s^(3/2), by s^2.
constexpr double Water[] = {999.842594,  6.793952e-2,  -9.095290e-3,
                            1.001685e-4, -1.120083e-6, 6.536332e-9};
constexpr double BySalt[] = {0.824493, -4.0899e-3, 7.6438e-5, -8.2467e-7, 5.3875e-9};
constexpr double ByRoot[] = {-5.72466e-3, 1.0227e-4, -1.6546e-6};
constexpr double BySquare = 4.8314e-4;
// Bulk modulus at the surface, and what it grows by with pressure.
constexpr double Bulk[] = {19652.21, 148.4206, -2.327105, 1.360477e-2, -5.155288e-5};
constexpr double BulkSalt[] = {54.6746, -0.603459, 1.09987e-2, -6.1670e-5};
constexpr double BulkRoot[] = {7.944e-2, 1.6483e-2, -5.3009e-4};
constexpr double Linear[] = {3.239908, 1.43713e-3, 1.16092e-4, -5.77905e-7};
constexpr double LinearSalt[] = {2.2838e-3, -1.0981e-5, -1.6078e-6};
constexpr double LinearRoot = 1.91075e-4;
constexpr double Square[] = {8.50935e-5, -6.12293e-6, 5.2787e-8};
constexpr double SquareSalt[] = {-9.9348e-7, 2.0816e-8, 9.1697e-10};
constexpr double Mean = 1027;

template <typename Real> Real density(const Real &t, const Real &s, double p) {
  using std::sqrt;
  const Real root = s * sqrt(s);
  const Real surface = polynomial(Water, t) + s * polynomial(BySalt, t) +
                       root * polynomial(ByRoot, t) + BySquare * s * s;
  const Real bulk =
      polynomial(Bulk, t) + s * polynomial(BulkSalt, t) + root * polynomial(BulkRoot, t);
  const Real linear = polynomial(Linear, t) + s * polynomial(LinearSalt, t) + LinearRoot * root;
  const Real square = polynomial(Square, t) + s * polynomial(SquareSalt, t);
  return surface / (1.0 - p / (bulk + p * (linear + p * square)));
}

class SeaWater {
public:
  static constexpr const char *Name = "eos";
  static constexpr Size Sizes[] = {{"10", 10}, {"20000", 20000}, {"200000", 200000}};

  explicit SeaWater(const Size &size)
      : cells(size.a), x(2 * cells), pressure(numbers(cells, 3, 0, 500)) {
    const std::vector<double> t = numbers(cells, 1, 0, 30), s = numbers(cells, 2, 20, 38);
    std::copy(t.begin(), t.end(), x.begin());
    std::copy(s.begin(), s.end(), x.begin() + cells);
  }

  template <typename Real> Real value(const Real *at) const {
    Real sum = 0.0;
    for (int i = 0; i < cells; i++) {
      const Real apart = density(at[i], at[cells + i], pressure[i]) - Mean;
      sum += apart * apart;
    }
    return sum;
  }

  void byHand(const double *at, double *g) const {
    for (int i = 0; i < cells; i++) {
      const double t = at[i], s = at[cells + i], p = pressure[i], half = std::sqrt(s),
                   root = s * half;
      const Slope water(Water, t), bySalt(BySalt, t), byRoot(ByRoot, t), bulk(Bulk, t),
          bulkSalt(BulkSalt, t), bulkRoot(BulkRoot, t), linear(Linear, t),
          linearSalt(LinearSalt, t), square(Square, t), squareSalt(SquareSalt, t);
      const double surface =
          water.value + s * bySalt.value + root * byRoot.value + BySquare * s * s;
      const double modulus = bulk.value + s * bulkSalt.value + root * bulkRoot.value +
                             p * (linear.value + s * linearSalt.value + LinearRoot * root +
                                  p * (square.value + s * squareSalt.value));
      const double factor = modulus / (modulus - p), rho = surface * factor;
      const double bySurface = 2 * (rho - Mean) * factor;
      const double byModulus = -bySurface * surface * p / (modulus * (modulus - p));
      g[i] = bySurface * (water.slope + s * bySalt.slope + root * byRoot.slope) +
             byModulus * (bulk.slope + s * bulkSalt.slope + root * bulkRoot.slope +
                          p * (linear.slope + s * linearSalt.slope +
                               p * (square.slope + s * squareSalt.slope)));
      g[cells + i] =
          bySurface * (bySalt.value + 1.5 * half * byRoot.value + 2 * BySquare * s) +
          byModulus * (bulkSalt.value + 1.5 * half * bulkRoot.value +
                       p * (linearSalt.value + 1.5 * half * LinearRoot + p * squareSalt.value));
    }
  }

private:
  const int cells;

public:
  std::vector<double> x;

private:
  const std::vector<double> pressure;
};

} // namespace

int main(int count, char **arguments) { return serve<SeaWater>(count, arguments); }
