//===- heat3d.cpp - Conduction of heat in a cube --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conductivity of each point grows with its temperature, so that each step is nonlinear;
// the border is constant, variables are the start. By hand all states are kept.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Heat3d {
public:
  static constexpr const char *Name = "heat3d";
  static constexpr Size Sizes[] = {{"5-4", 5, 4}, {"24-30", 24, 30}, {"64-20", 64, 20}};

  explicit Heat3d(const Size &size)
      : side(size.a), steps(size.b), plane(side * side), points(side * plane),
        x(numbers(points, 7, 0, 1)) {}

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
      const double *now = &states[std::size_t(s) * points];
      double *next = &states[std::size_t(s + 1) * points];
      std::copy_n(now, points, next);
      step(now, next);
    }
    // As on the square (heat2d): inner adjoints in a frame of zeros.
    std::vector<double> after(points), before(points);
    const double *end = &states[std::size_t(steps) * points];
    for (int i = 0; i < points; i++)
      (isInner(i) ? after[i] : g[i]) = 2 * end[i];
    for (int s = steps; s-- > 0;) {
      receive(&states[std::size_t(s) * points], after.data(), g);
      back(&states[std::size_t(s) * points], after.data(), before.data());
      after.swap(before);
    }
    for (int i = 0; i < points; i++)
      if (isInner(i))
        g[i] = after[i];
  }

private:
  static constexpr double Rate = 0.05;

  /// Differences of t + t^2 / 2, of which 1 + t is the conductivity.
  template <typename Real> static Real potential(const Real &t) { return t + 0.5 * t * t; }

  template <typename Real> void step(const Real *now, Real *next) const {
    for (int z = 1; z + 1 < side; z++)
      for (int y = 1; y + 1 < side; y++)
        for (int i = z * plane + y * side + 1; i + 1 < z * plane + (y + 1) * side; i++) {
          const Real around = potential(now[i - 1]) + potential(now[i + 1]) +
                              potential(now[i - side]) + potential(now[i + side]) +
                              potential(now[i - plane]) + potential(now[i + plane]);
          next[i] = now[i] + Rate * (around - 6.0 * potential(now[i]));
        }
  }

  bool isInner(int i) const {
    auto inside = [&](int k) { return k > 0 && k + 1 < side; };
    return inside(i % side) && inside(i / side % side) && inside(i / plane);
  }

  void receive(const double *now, const double *after, double *g) const {
    auto face = [&](int at, int inwards) { g[at] += Rate * (1 + now[at]) * after[at + inwards]; };
    for (int a = 1; a + 1 < side; a++)
      for (int b = 1; b + 1 < side; b++) {
        face(a * side + b, plane);
        face((side - 1) * plane + a * side + b, -plane);
        face(a * plane + b, side);
        face(a * plane + (side - 1) * side + b, -side);
        face(a * plane + b * side, 1);
        face(a * plane + b * side + side - 1, -1);
      }
  }

  void back(const double *__restrict now, const double *__restrict after,
            double *__restrict before) const {
    for (int z = 1; z + 1 < side; z++)
      for (int y = 1; y + 1 < side; y++)
        for (int i = z * plane + y * side + 1; i + 1 < z * plane + (y + 1) * side; i++) {
          const double around = after[i - 1] + after[i + 1] + after[i - side] + after[i + side] +
                                after[i - plane] + after[i + plane];
          before[i] = after[i] + Rate * (1 + now[i]) * (around - 6 * after[i]);
        }
  }

  const int side, steps, plane, points;
  mutable std::vector<double> states; ///< stays between calls

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<Heat3d>(count, arguments); }
