//===- pendulum.cpp - A driven pendulum -----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables are angle and speed at the start, friction and force. By hand angle and speed of
// all steps are kept.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Pendulum {
public:
  static constexpr const char *Name = "pendulum";
  static constexpr Size Sizes[] = {{"10", 10}, {"2000", 2000}, {"100000", 100000}};

  explicit Pendulum(const Size &size) : steps(size.a), x(numbers(4, 7, 0.1, 0.9)) {
    for (int s = 0; s < steps; s++)
      drive.push_back(std::cos(0.01 * s));
  }

  template <typename Real> Real value(const Real *p) const {
    using std::sin;
    Real angle = p[0], speed = p[1];
    for (int s = 0; s < steps; s++) {
      speed += Step * (p[3] * drive[s] - p[2] * speed - sin(angle));
      angle += Step * speed;
    }
    return angle * angle + speed * speed;
  }

  void byHand(const double *p, double *g) const {
    kept.resize(steps);
    double angle = p[0], speed = p[1];
    for (int s = 0; s < steps; s++) {
      kept[s] = {std::cos(angle), speed};
      speed += Step * (p[3] * drive[s] - p[2] * speed - std::sin(angle));
      angle += Step * speed;
    }
    double dAngle = 2 * angle, dSpeed = 2 * speed, friction = 0, force = 0;
    for (int s = steps; s-- > 0;) {
      dSpeed += Step * dAngle;
      const double by = Step * dSpeed;
      force += by * drive[s];
      friction -= by * kept[s].speed;
      dAngle -= by * kept[s].slope;
      dSpeed -= by * p[2];
    }
    g[0] = dAngle, g[1] = dSpeed, g[2] = friction, g[3] = force;
  }

private:
  static constexpr double Step = 0.005;

  struct State {
    double slope, speed;
  };

  const int steps;
  mutable std::vector<State> kept; ///< stays between calls

public:
  std::vector<double> x;

private:
  std::vector<double> drive;
};

} // namespace

int main(int count, char **arguments) { return serve<Pendulum>(count, arguments); }
