//===- rk45.cpp - An oscillator by steps that choose their own length -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many oscillators of van der Pol, y'' = m (1 - y^2) y' - y, each by the method of Dormand and
// Prince, whose steps depend on the estimated error. Variables are m and the start of each.
// The length of the steps depends on them, too, and is differentiated.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Stages = 7 };

/// The tableau; the last row is the solution of fifth order.
constexpr double A[Stages][6] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double E[Stages] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double Tolerance = 1e-6, Start = 0.05, Shortest = 0.2, Longest = 5, Caution = 0.9;

class RungeKutta {
public:
  static constexpr const char *Name = "rk45";
  static constexpr Size Sizes[] = {{"2-t1", 2, 1}, {"20-t10", 20, 10}, {"200-t10", 200, 10}};

  explicit RungeKutta(const Size &size)
      : count(size.a), end(size.b), x(numbers(3 * count, 1, 0.5, 1.5)) {}

  template <typename Real> Real value(const Real *at) const {
    Real total = 0.0;
    for (int i = 0; i < count; i++)
      total += solve(at[3 * i], at[3 * i + 1], at[3 * i + 2]);
    return total;
  }

  void byHand(const double *at, double *g) const {
    for (int i = 0; i < count; i++) {
      solveAndBack(at + 3 * i, g + 3 * i);
    }
  }

private:
  template <typename Real> Real solve(const Real &m, const Real &start, const Real &speed) const {
    using std::pow;
    using std::sqrt;
    Real y[2] = {start, speed}, t = 0.0, h = Start, k[Stages][2];
    while (t < end) {
      const bool last = t + h >= end;
      if (last)
        h = end - t;
      Real z[2];
      for (int s = 0; s < Stages; s++) {
        for (int c = 0; c < 2; c++) {
          Real sum = 0.0;
          for (int r = 0; r < s; r++)
            sum += A[s][r] * k[r][c];
          z[c] = y[c] + h * sum;
        }
        k[s][0] = z[1];
        k[s][1] = m * (1.0 - z[0] * z[0]) * z[1] - z[0];
      }
      Real square = 1e-30;
      for (int c = 0; c < 2; c++) {
        Real error = 0.0;
        for (int s = 0; s < Stages; s++)
          error += E[s] * k[s][c];
        square += h * error * (h * error);
      }
      const Real error = sqrt(square);
      if (error <= Tolerance) {
        t = last ? Real(end) : Real(t + h);
        y[0] = z[0];
        y[1] = z[1];
      }
      Real factor = Caution * pow(Tolerance / error, 0.2);
      if (factor < Shortest)
        factor = Shortest;
      if (factor > Longest)
        factor = Longest;
      h = h * factor;
    }
    return y[0] * y[0] + y[1] * y[1];
  }

  /// The stages of an attempt: z is where each slope is taken.
  struct Slopes {
    double z[Stages][2], k[Stages][2], error[2], size, factor;

    Slopes(double m, const double *y, double h) {
      for (int s = 0; s < Stages; s++) {
        for (int c = 0; c < 2; c++) {
          double sum = 0;
          for (int r = 0; r < s; r++)
            sum += A[s][r] * k[r][c];
          z[s][c] = y[c] + h * sum;
        }
        k[s][0] = z[s][1];
        k[s][1] = m * (1 - z[s][0] * z[s][0]) * z[s][1] - z[s][0];
      }
      double square = 1e-30;
      for (int c = 0; c < 2; c++) {
        error[c] = 0;
        for (int s = 0; s < Stages; s++)
          error[c] += E[s] * k[s][c];
        square += h * error[c] * (h * error[c]);
      }
      size = std::sqrt(square);
      factor = Caution * std::pow(Tolerance / size, 0.2);
    }
  };

  /// What an attempt at a step starts from, and its stages.
  struct Attempt {
    double y[2], h;
    bool last, accepted;
    Slopes slopes;
  };

  void solveAndBack(const double *at, double *g) const {
    tape.clear();
    const double m = at[0];
    double y[2] = {at[1], at[2]}, t = 0, h = Start;
    while (t < end) {
      const bool last = t + h >= end;
      if (last)
        h = end - t;
      const Slopes slopes(m, y, h);
      const bool accepted = slopes.size <= Tolerance;
      tape.push_back({{y[0], y[1]}, h, last, accepted, slopes});
      if (accepted) {
        t = last ? end : t + h;
        std::copy_n(slopes.z[Stages - 1], 2, y);
      }
      h *= std::clamp(slopes.factor, Shortest, Longest);
    }
    double dy[2] = {2 * y[0], 2 * y[1]}, dh = 0, dt = 0;
    for (std::size_t i = tape.size(); i-- > 0;)
      back(m, tape[i], dy, dh, dt, g[0]);
    g[1] = dy[0];
    g[2] = dy[1];
  }

  /// From adjoints of what an attempt leaves to those of what it starts from.
  void back(double m, const Attempt &a, double *dy, double &dh, double &dt, double &dm) const {
    const Slopes &s = a.slopes;
    double dk[Stages][2] = {}, dz[2] = {0, 0}, dLength = 0;
    if (a.accepted) {
      std::swap(dz[0], dy[0]); // the last z is the new y, and the old one is gone
      std::swap(dz[1], dy[1]);
      if (a.last)
        dt = 0;
      else
        dLength += dt;
    }
    const bool free = s.factor >= Shortest && s.factor <= Longest;
    dLength += dh * std::clamp(s.factor, Shortest, Longest);
    if (free) {
      // factor = constant * size^(-0.2), and size^2 = sum (h error)^2
      const double dSquare = -0.1 * dh * a.h * s.factor / (s.size * s.size);
      for (int c = 0; c < 2; c++) {
        const double d = 2 * dSquare * a.h * s.error[c];
        dLength += d * s.error[c];
        for (int r = 0; r < Stages; r++)
          dk[r][c] += d * a.h * E[r];
      }
    }
    for (int r = Stages; r-- > 0;) {
      const double *z = s.z[r], d = dk[r][1];
      dz[0] += d * (-2 * m * z[0] * z[1] - 1);
      dz[1] += dk[r][0] + d * m * (1 - z[0] * z[0]);
      dm += d * (1 - z[0] * z[0]) * z[1];
      for (int c = 0; c < 2; c++) {
        double sum = 0;
        for (int q = 0; q < r; q++) {
          sum += A[r][q] * s.k[q][c];
          dk[q][c] += dz[c] * a.h * A[r][q];
        }
        dLength += dz[c] * sum;
        dy[c] += dz[c];
        dz[c] = 0;
      }
    }
    // The last step is cut so that it ends in time.
    if (a.last) {
      dt -= dLength;
      dLength = 0;
    }
    dh = dLength;
  }

  const int count;
  const double end;
  mutable std::vector<Attempt> tape; ///< stays between calls

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<RungeKutta>(count, arguments); }
