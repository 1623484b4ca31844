//===- brusselator.cpp - Two reacting substances that diffuse -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Brusselator on a periodic square: u' = 1 + u^2 v - 4.4 u + d Lap u, v' = 3.4 u - u^2 v +
// d Lap v, in steps of Heun (two stages). Variables are the start. By hand all states are
// kept, and the state between the stages is computed again.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Brusselator {
public:
  static constexpr const char *Name = "brusselator";
  static constexpr Size Sizes[] = {{"4-3", 4, 3}, {"32-50", 32, 50}, {"128-20", 128, 20}};

  explicit Brusselator(const Size &size)
      : side(size.a), steps(size.b), points(side * side), x(numbers(2 * points, 7, 0.5, 2)) {}

  template <typename Real> Real value(const Real *start) const {
    std::vector<Real> now(start, start + 2 * points), next(2 * points), slope(2 * points),
        second(2 * points);
    for (int s = 0; s < steps; s++) {
      slopes(now.data(), slope.data());
      for (int i = 0; i < 2 * points; i++)
        next[i] = now[i] + Step * slope[i];
      slopes(next.data(), second.data());
      for (int i = 0; i < 2 * points; i++)
        now[i] += 0.5 * Step * (slope[i] + second[i]);
    }
    Real sum = 0.0;
    for (int i = 0; i < 2 * points; i++)
      sum += now[i] * now[i];
    return sum;
  }

  void byHand(const double *start, double *g) const {
    const int n = 2 * points;
    states.resize(std::size_t(steps + 1) * n);
    std::vector<double> slope(n), middle(n), second(n);
    std::copy_n(start, n, states.data());
    for (int s = 0; s < steps; s++) {
      double *now = &states[std::size_t(s) * n];
      slopes(now, slope.data());
      for (int i = 0; i < n; i++)
        middle[i] = now[i] + Step * slope[i];
      slopes(middle.data(), second.data());
      for (int i = 0; i < n; i++)
        now[n + i] = now[i] + 0.5 * Step * (slope[i] + second[i]);
    }
    for (int i = 0; i < n; i++)
      g[i] = 2 * states[std::size_t(steps) * n + i];
    for (int s = steps; s-- > 0;) {
      const double *now = &states[std::size_t(s) * n];
      slopes(now, slope.data());
      for (int i = 0; i < n; i++)
        middle[i] = now[i] + Step * slope[i];
      // second: adjoint of middle for adjoints g of the slopes there; slope: of what is before.
      transposed(middle.data(), g, second.data(), 0.5 * Step);
      for (int i = 0; i < n; i++)
        middle[i] = second[i] + 0.5 * g[i];
      transposed(now, middle.data(), slope.data(), Step);
      for (int i = 0; i < n; i++)
        g[i] += second[i] + slope[i];
    }
  }

private:
  static constexpr double Step = 0.01, Diffusion = 0.5;

  template <typename Real> void slopes(const Real *state, Real *out) const {
    const Real *u = state, *v = state + points;
    around([&](int i, int left, int right, int up, int down) {
      const Real fast = u[i] * u[i] * v[i];
      out[i] =
          1.0 + fast - 4.4 * u[i] + Diffusion * (u[left] + u[right] + u[up] + u[down] - 4.0 * u[i]);
      out[points + i] =
          3.4 * u[i] - fast + Diffusion * (v[left] + v[right] + v[up] + v[down] - 4.0 * v[i]);
    });
  }

  /// out = factor * (the transposed derivative of slopes at state) * after
  void transposed(const double *state, const double *after, double *__restrict out,
                  double factor) const {
    const double *u = state, *v = state + points, *a = after, *b = after + points;
    around([&](int i, int left, int right, int up, int down) {
      const double apart = a[i] - b[i];
      out[i] = factor * (apart * 2 * u[i] * v[i] - 4.4 * a[i] + 3.4 * b[i] +
                         Diffusion * (a[left] + a[right] + a[up] + a[down] - 4 * a[i]));
      out[points + i] = factor * (apart * u[i] * u[i] +
                                  Diffusion * (b[left] + b[right] + b[up] + b[down] - 4 * b[i]));
    });
  }

  /// Each point with its neighbours; only the ends of a row have them elsewhere.
  template <typename F> void around(F f) const {
    for (int y = 0; y < side; y++) {
      const int row = y * side, up = (y + side - 1) % side * side - row,
                down = (y + 1) % side * side - row;
      f(row, row + side - 1, row + 1, row + up, row + down);
      for (int i = row + 1; i + 1 < row + side; i++)
        f(i, i - 1, i + 1, i + up, i + down);
      const int last = row + side - 1;
      f(last, last - 1, row, last + up, last + down);
    }
  }

  const int side, steps, points;
  mutable std::vector<double> states; ///< stays between calls

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<Brusselator>(count, arguments); }
