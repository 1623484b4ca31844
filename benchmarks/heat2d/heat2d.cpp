//===- heat2d.cpp - Reaction and diffusion on a square --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equation of Fisher: u_t = d (u_xx + u_yy) + r u (1 - u), constant at the border, in
// explicit steps; variables are the start. The adjoint by hand keeps all states.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Heat2d {
public:
  static constexpr const char *Name = "heat2d";
  static constexpr Size Sizes[] = {{"7-5", 7, 5}, {"48-100", 48, 100}, {"256-50", 256, 50}};

  explicit Heat2d(const Size &size)
      : side(size.a), steps(size.b), points(side * side), x(numbers(points, 7, 0, 1)) {}

  template <typename Real> Real value(const Real *start) const {
    std::vector<Real> now(start, start + points), next(points);
    for (int s = 0; s < steps; s++) {
      step(now.data(), next.data());
      for (int y = 1; y + 1 < side; y++)
        for (int i = y * side + 1; i + 1 < (y + 1) * side; i++)
          now[i] = next[i];
    }
    Real sum = 0.0;
    for (int i = 0; i < points; i++)
      sum += now[i] * now[i];
    return sum;
  }

  void byHand(const double *start, double *g) const {
    states.resize(std::size_t(steps + 1) * points);
    std::copy_n(start, points, states.data());
    for (int s = 0; s < steps; s++) {
      const double *now = &states[std::size_t(s) * points];
      double *next = &states[std::size_t(s + 1) * points];
      std::copy_n(now, side, next);
      for (int y = 1; y + 1 < side; y++) {
        next[y * side] = now[y * side];
        next[y * side + side - 1] = now[y * side + side - 1];
      }
      std::copy_n(now + points - side, side, next + points - side);
      step(now, next);
    }
    // Inner adjoints in a frame of zeros, so that all of them gather alike; those of the
    // border, which stays as it is, only receive.
    std::vector<double> after(points), before(points);
    const double *end = &states[std::size_t(steps) * points];
    for (int i = 0; i < points; i++)
      g[i] = 2 * end[i];
    for (int y = 1; y + 1 < side; y++)
      std::copy_n(g + y * side + 1, side - 2, &after[y * side + 1]);
    for (int s = steps; s-- > 0;) {
      receive(after.data(), g);
      back(&states[std::size_t(s) * points], after.data(), before.data());
      after.swap(before);
    }
    for (int y = 1; y + 1 < side; y++)
      std::copy_n(&after[y * side + 1], side - 2, g + y * side + 1);
  }

private:
  static constexpr double Spread = 0.15, Growth = 0.05;

  template <typename Real> void step(const Real *now, Real *next) const {
    for (int y = 1; y + 1 < side; y++)
      for (int i = y * side + 1; i + 1 < (y + 1) * side; i++)
        next[i] = now[i] + Growth * now[i] * (1.0 - now[i]) +
                  Spread * (now[i - 1] + now[i + 1] + now[i - side] + now[i + side] - 4.0 * now[i]);
  }

  /// What the border gets from its inner neighbours.
  void receive(const double *after, double *g) const {
    for (int i = 1; i + 1 < side; i++) {
      g[i] += Spread * after[side + i];
      g[points - side + i] += Spread * after[points - 2 * side + i];
      g[i * side] += Spread * after[i * side + 1];
      g[i * side + side - 1] += Spread * after[i * side + side - 2];
    }
  }

  void back(const double *__restrict now, const double *__restrict after,
            double *__restrict before) const {
    for (int y = 1; y + 1 < side; y++)
      for (int i = y * side + 1; i + 1 < (y + 1) * side; i++)
        before[i] = after[i] * (1 + Growth - 4 * Spread - 2 * Growth * now[i]) +
                    Spread * (after[i - 1] + after[i + 1] + after[i - side] + after[i + side]);
  }

  const int side, steps, points;
  mutable std::vector<double> states; ///< stays between calls

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<Heat2d>(count, arguments); }
