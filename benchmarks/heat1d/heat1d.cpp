//===- heat1d.cpp - Diffusion with a reaction on a line -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two buffers that change places after each step; variables are the start. The adjoint by
// hand keeps all states and gathers from the neighbours, as the step does.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Heat1d {
public:
  static constexpr const char *Name = "heat1d";
  static constexpr Size Sizes[] = {{"8-6", 8, 6}, {"200-200", 200, 200}, {"1000-200", 1000, 200}};

  explicit Heat1d(const Size &size) : points(size.a), steps(size.b), x(numbers(points, 7, 0, 1)) {}

  template <typename Real> Real value(const Real *start) const {
    std::vector<Real> now(start, start + points), next(start, start + points);
    for (int s = 0; s < steps; s++) {
      step(now.data(), next.data());
      now.swap(next);
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
      double *now = &states[std::size_t(s) * points], *next = now + points;
      next[0] = now[0];
      next[points - 1] = now[points - 1];
      step(now, next);
    }
    std::vector<double> before(points);
    for (int i = 0; i < points; i++)
      g[i] = 2 * states[std::size_t(steps) * points + i];
    for (int s = steps; s-- > 0;) {
      back(&states[std::size_t(s) * points], g, before.data());
      std::copy_n(before.data(), points, g);
    }
  }

private:
  static constexpr double Spread = 0.2, Decay = 0.01;

  template <typename Real> void step(const Real *now, Real *next) const {
    for (int i = 1; i + 1 < points; i++)
      next[i] =
          now[i] + Spread * (now[i - 1] - 2.0 * now[i] + now[i + 1]) - Decay * now[i] * now[i];
  }

  /// The ends stay as they are, and are seen by their neighbours.
  void back(const double *__restrict now, const double *__restrict after,
            double *__restrict before) const {
    auto own = [&](int i) { return after[i] * (1 - 2 * Spread - 2 * Decay * now[i]); };
    const int last = points - 1;
    before[0] = after[0] + Spread * after[1];
    before[last] = after[last] + Spread * after[last - 1];
    before[1] = own(1) + Spread * after[2];
    before[last - 1] = own(last - 1) + Spread * after[last - 2];
    for (int i = 2; i + 1 < last; i++)
      before[i] = own(i) + Spread * (after[i - 1] + after[i + 1]);
  }

  const int points, steps;
  mutable std::vector<double> states; ///< stays between calls, as work memory of a person's would

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<Heat1d>(count, arguments); }
