//===- cfd.cpp - Fluxes of a gas over many cells --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Euler's equations on a periodic square of cells, with the fluxes of Rusanov between cells;
// the result is a weighted sum of all residuals. Variables are density, momenta and energy of
// each cell.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Fields = 4 };
constexpr double Gamma = 1.4;

template <typename Real> struct Side {
  Real flux[Fields], fastest;

  /// Of the state u of a cell, through a face across direction \p axis (0 or 1).
  Side(const Real *u, int axis) {
    using std::fabs;
    using std::sqrt;
    const Real over = 1.0 / u[0], across = u[1 + axis] * over;
    const Real pressure = (Gamma - 1) * (u[3] - 0.5 * over * (u[1] * u[1] + u[2] * u[2]));
    flux[0] = u[1 + axis];
    flux[1] = u[1] * across;
    flux[2] = u[2] * across;
    flux[1 + axis] += pressure;
    flux[3] = (u[3] + pressure) * across;
    fastest = fabs(across) + sqrt(Gamma * pressure * over);
  }
};

/// The flux from a cell to the next one.
template <typename Real> void rusanov(const Real *from, const Real *to, int axis, Real *out) {
  const Side<Real> a(from, axis), b(to, axis);
  const Real fastest = a.fastest < b.fastest ? b.fastest : a.fastest;
  for (int f = 0; f < Fields; f++)
    out[f] = 0.5 * (a.flux[f] + b.flux[f]) - 0.5 * fastest * (to[f] - from[f]);
}

/// Adds to d what adjoints of the flux and of the fastest wave of u give.
void sideBack(const double *u, int axis, const double *w, double dFastest, double *d) {
  const double over = 1 / u[0], across = u[1 + axis] * over;
  const double kinetic = 0.5 * over * (u[1] * u[1] + u[2] * u[2]);
  const double pressure = (Gamma - 1) * (u[3] - kinetic),
               sound = std::sqrt(Gamma * pressure * over);
  double dAcross = w[1] * u[1] + w[2] * u[2] + w[3] * (u[3] + pressure);
  double dPressure = w[1 + axis] + w[3] * across, dOver = 0;
  if (dFastest != 0) {
    dAcross += across < 0 ? -dFastest : dFastest;
    const double dSquare = 0.5 * Gamma * dFastest / sound;
    dPressure += dSquare * over;
    dOver += dSquare * pressure;
  }
  dPressure *= Gamma - 1;
  // kinetic = over (m^2 + n^2) / 2
  dOver += dAcross * u[1 + axis] - dPressure * 0.5 * (u[1] * u[1] + u[2] * u[2]);
  d[0] -= dOver * over * over;
  d[1] += w[1] * across - dPressure * over * u[1];
  d[2] += w[2] * across - dPressure * over * u[2];
  d[1 + axis] += w[0] + dAcross * over;
  d[3] += w[3] * across + dPressure;
}

class Fluxes {
public:
  static constexpr const char *Name = "cfd";
  static constexpr Size Sizes[] = {{"4x4", 4}, {"64x64", 64}, {"256x256", 256}, {"512x512", 512}};

  explicit Fluxes(const Size &size)
      : side(size.a), cells(side * side), x(numbers(Fields * cells, 1, -0.3, 0.3)),
        weights(numbers(Fields * cells, 2, -1, 1)) {
    for (int c = 0; c < cells; c++) {
      x[Fields * c] += 1;
      x[Fields * c + 3] += 2.5;
    }
  }

  template <typename Real> Real value(const Real *at) const {
    std::vector<Real> residual(Fields * cells, Real(0.0));
    faces([&](int from, int to, int axis) {
      Real flux[Fields];
      rusanov(at + Fields * from, at + Fields * to, axis, flux);
      for (int f = 0; f < Fields; f++) {
        residual[Fields * from + f] += flux[f];
        residual[Fields * to + f] -= flux[f];
      }
    });
    Real sum = 0.0;
    for (int i = 0; i < Fields * cells; i++)
      sum += weights[i] * residual[i];
    return sum;
  }

  /// The adjoint of a flux is a difference of weights: no residual is needed.
  void byHand(const double *at, double *g) const {
    faces([&](int from, int to, int axis) {
      const double *a = at + Fields * from, *b = at + Fields * to;
      double *da = g + Fields * from, *db = g + Fields * to, half[Fields], jump = 0;
      const double fastA = fastest(a, axis), fastB = fastest(b, axis),
                   most = std::max(fastA, fastB);
      for (int f = 0; f < Fields; f++) {
        half[f] = 0.5 * (weights[Fields * from + f] - weights[Fields * to + f]);
        jump -= half[f] * (b[f] - a[f]);
        da[f] += half[f] * most;
        db[f] -= half[f] * most;
      }
      sideBack(a, axis, half, fastA < fastB ? 0 : jump, da);
      sideBack(b, axis, half, fastA < fastB ? jump : 0, db);
    });
  }

private:
  static double fastest(const double *u, int axis) {
    const double over = 1 / u[0];
    const double pressure = (Gamma - 1) * (u[3] - 0.5 * over * (u[1] * u[1] + u[2] * u[2]));
    return std::fabs(u[1 + axis] * over) + std::sqrt(Gamma * pressure * over);
  }

  template <typename F> void faces(F f) const {
    for (int y = 0; y < side; y++)
      for (int i = 0; i < side; i++) {
        const int cell = y * side + i;
        f(cell, i + 1 < side ? cell + 1 : y * side, 0);
        f(cell, y + 1 < side ? cell + side : i, 1);
      }
  }

  const int side, cells;

public:
  std::vector<double> x;

private:
  const std::vector<double> weights;
};

} // namespace

int main(int count, char **arguments) { return serve<Fluxes>(count, arguments); }
