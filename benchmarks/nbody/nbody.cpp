//===- nbody.cpp - Bodies that attract each other -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of the leapfrog method; the result is how far the bodies end from given places.
// Variables are places and speeds at the start. By hand the places of all steps are kept.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Bodies {
public:
  static constexpr const char *Name = "nbody";
  static constexpr Size Sizes[] = {{"3-5", 3, 5}, {"6-1200", 6, 1200}, {"100-20", 100, 20}};

  explicit Bodies(const Size &size)
      : bodies(size.a), steps(size.b), x(numbers(6 * bodies, 1, -1, 1)),
        masses(numbers(bodies, 2, 0.1, 1)), targets(numbers(3 * bodies, 3, -1, 1)) {
    for (int i = 0; i < 3 * bodies; i++)
      x[i] *= 3;
  }

  template <typename Real> Real value(const Real *start) const {
    const int n = 3 * bodies;
    std::vector<Real> place(start, start + n), speed(start + n, start + 2 * n), force(n);
    for (int s = 0; s < steps; s++) {
      attract(place.data(), force.data());
      for (int i = 0; i < n; i++) {
        speed[i] += Step * force[i];
        place[i] += Step * speed[i];
      }
    }
    Real sum = 0.0;
    for (int i = 0; i < n; i++)
      sum += (place[i] - targets[i]) * (place[i] - targets[i]);
    return sum;
  }

  void byHand(const double *start, double *g) const {
    const int n = 3 * bodies;
    places.resize(std::size_t(steps + 1) * n);
    std::vector<double> speed(start + n, start + 2 * n), force(n);
    std::copy_n(start, n, places.data());
    for (int s = 0; s < steps; s++) {
      double *now = &places[std::size_t(s) * n];
      attract(now, force.data());
      for (int i = 0; i < n; i++) {
        speed[i] += Step * force[i];
        now[n + i] = now[i] + Step * speed[i];
      }
    }
    double *dPlace = g, *dSpeed = g + n;
    for (int i = 0; i < n; i++)
      dPlace[i] = 2 * (places[std::size_t(steps) * n + i] - targets[i]);
    for (int s = steps; s-- > 0;) {
      for (int i = 0; i < n; i++) {
        dSpeed[i] += Step * dPlace[i];
        force[i] = Step * dSpeed[i];
      }
      attractBack(&places[std::size_t(s) * n], force.data(), dPlace);
    }
  }

private:
  static constexpr double Step = 0.005, Softening = 0.05;

  template <typename Real> void attract(const Real *place, Real *force) const {
    using std::sqrt;
    for (int i = 0; i < 3 * bodies; i++)
      force[i] = 0.0;
    for (int i = 0; i < bodies; i++)
      for (int j = 0; j < i; j++) {
        const Real dx = place[3 * j] - place[3 * i], dy = place[3 * j + 1] - place[3 * i + 1],
                   dz = place[3 * j + 2] - place[3 * i + 2];
        const Real square = dx * dx + dy * dy + dz * dz + Softening;
        const Real pull = 1.0 / (square * sqrt(square));
        const Real onI = masses[j] * pull, onJ = masses[i] * pull;
        force[3 * i] += onI * dx, force[3 * i + 1] += onI * dy, force[3 * i + 2] += onI * dz;
        force[3 * j] -= onJ * dx, force[3 * j + 1] -= onJ * dy, force[3 * j + 2] -= onJ * dz;
      }
  }

  /// The force of a pair is pull * d; its derivative by d is pull (w - 3 d (d w) / square).
  void attractBack(const double *place, const double *dForce, double *dPlace) const {
    for (int i = 0; i < bodies; i++)
      for (int j = 0; j < i; j++) {
        double d[3], w[3], square = Softening, inner = 0;
        for (int c = 0; c < 3; c++) {
          d[c] = place[3 * j + c] - place[3 * i + c];
          w[c] = masses[j] * dForce[3 * i + c] - masses[i] * dForce[3 * j + c];
          square += d[c] * d[c];
          inner += d[c] * w[c];
        }
        const double over = 1 / square, pull = over * std::sqrt(over), along = 3 * inner * over;
        for (int c = 0; c < 3; c++) {
          const double by = pull * (w[c] - along * d[c]);
          dPlace[3 * j + c] += by;
          dPlace[3 * i + c] -= by;
        }
      }
  }

  const int bodies, steps;
  mutable std::vector<double> places; ///< stays between calls

public:
  std::vector<double> x;

private:
  const std::vector<double> masses, targets;
};

} // namespace

int main(int count, char **arguments) { return serve<Bodies>(count, arguments); }
