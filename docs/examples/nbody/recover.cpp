//===- recover.cpp - Finds Jupiter's mass and velocity from its orbit -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: recover <file of observations>. Starts from a wrong guess and follows
// the gradient of the mismatch, which Isozyme makes from the simulator's code,
// by L-BFGS. Returns 1 where the gradient or the result is not what it should be.
//
// With -DNBODY_FINITE_DIFFERENCES the gradient is made by finite differences, so
// that any compiler can build this program.
//
//===----------------------------------------------------------------------===//
#include "mismatch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <deque>
#include <utility>

using namespace nbody;
using Point = std::array<double, UnknownCount>;

extern int enzyme_dup, enzyme_const;
template <typename Return, typename... Args> Return __enzyme_autodiff(void *, Args...);

namespace {

const char *const Names[] = {"mass of Jupiter", "velocity x", "velocity y", "velocity z"};

struct Problem {
  System nominal;
  std::vector<Observation> observed;

  double value(const Point &x) const {
    return mismatch(x.data(), &nominal, observed.data(), static_cast<int>(observed.size()));
  }
  Point gradient(const Point &x) const;
  Point differences(Point x) const;
};

/// Central differences, extrapolated twice to step zero (Richardson).
Point Problem::differences(Point x) const {
  Point result{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double here = x[i];
    double slope[3];
    for (int level = 0; level < 3; ++level) {
      const double h = 4e-3 / (1 << level);
      x[i] = here + h;
      const double up = value(x);
      x[i] = here - h;
      const double down = value(x);
      slope[level] = (up - down) / (2 * h);
    }
    x[i] = here;
    const double first = (4 * slope[1] - slope[0]) / 3;
    const double second = (4 * slope[2] - slope[1]) / 3;
    result[i] = (16 * second - first) / 15;
  }
  return result;
}

Point Problem::gradient(const Point &x) const {
#ifdef NBODY_FINITE_DIFFERENCES
  return differences(x);
#else
  Point result{};
  __enzyme_autodiff<void>((void *)mismatch, enzyme_dup, x.data(), result.data(), enzyme_const,
                          &nominal, enzyme_const, observed.data(), enzyme_const,
                          static_cast<int>(observed.size()));
  return result;
#endif
}

double dot(const Point &a, const Point &b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}
Point along(const Point &a, double t, const Point &d) {
  Point r = a;
  for (std::size_t i = 0; i < r.size(); ++i)
    r[i] += t * d[i];
  return r;
}

/// The memory of L-BFGS: the last steps and the changes of the gradient.
class InverseHessian {
public:
  Point apply(Point q) const {
    std::vector<double> alpha(pairs.size());
    for (std::size_t k = pairs.size(); k-- > 0;) {
      alpha[k] = dot(pairs[k].first, q) / dot(pairs[k].first, pairs[k].second);
      q = along(q, -alpha[k], pairs[k].second);
    }
    if (!pairs.empty()) {
      const auto &[s, y] = pairs.back();
      for (double &v : q)
        v *= dot(s, y) / dot(y, y);
    }
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto &[s, y] = pairs[k];
      q = along(q, alpha[k] - dot(y, q) / dot(s, y), s);
    }
    return q;
  }
  void learn(const Point &s, const Point &y) {
    if (dot(s, y) <= 1e-12 * std::sqrt(dot(s, s) * dot(y, y)))
      return;
    pairs.emplace_back(s, y);
    if (pairs.size() > 8)
      pairs.pop_front();
  }
  bool empty() const { return pairs.empty(); }
  void forget() { pairs.clear(); }

private:
  std::deque<std::pair<Point, Point>> pairs;
};

/// Minimises the mismatch from \p x on; prints a line per iteration.
Point minimise(const Problem &problem, Point x) {
  InverseHessian inverse;
  double value = problem.value(x);
  Point gradient = problem.gradient(x);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double size = std::sqrt(dot(gradient, gradient));
    std::printf("  %3d  mismatch %.6e   gradient %.3e\n", iteration, value, size);
    if (size == 0 || value < 1e-20)
      break;
    Point direction = inverse.apply(gradient);
    if (inverse.empty()) // nothing known of the scale: a short first step
      for (double &d : direction)
        d *= 1e-3 / size;
    double slope = -dot(direction, gradient);

    // A step that lowers the value enough: halve it until it does.
    double t = 1;
    Point next = x;
    double nextValue = value;
    for (; t > 1e-10; t /= 2) {
      next = along(x, -t, direction);
      nextValue = problem.value(next);
      if (nextValue <= value + 1e-4 * t * slope)
        break;
    }
    if (!(nextValue < value)) {
      if (inverse.empty())
        break; // rounding is all that is left
      inverse.forget();
      continue;
    }
    const Point nextGradient = problem.gradient(next);
    inverse.learn(along(next, -1, x), along(nextGradient, -1, gradient));
    x = next;
    value = nextValue;
    gradient = nextGradient;
  }
  return x;
}

/// Prints both gradients and returns their relative difference.
double compareGradients(const Problem &problem, const Point &x) {
  const Point made = problem.gradient(x), measured = problem.differences(x);
  std::printf("gradient at the first guess\n  %-16s %-24s finite differences\n", "unknown",
              "derivative");
  for (std::size_t i = 0; i < x.size(); ++i)
    std::printf("  %-16s %-24.15g %.15g\n", Names[i], made[i], measured[i]);
  const Point off = along(made, -1, measured);
  return std::sqrt(dot(off, off) / dot(measured, measured));
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: recover <file of observations>\n");
    return 2;
  }
  const Problem problem{outerSolarSystem(), readObservations(argv[1])};
  const Body &jupiter = problem.nominal[Jupiter];
  const Point truth = {jupiter.mass / Scale, jupiter.velocity.x / Scale, jupiter.velocity.y / Scale,
                       jupiter.velocity.z / Scale};
  const Point guess = {1.3 * truth[0], 1.01 * truth[1], 0.98 * truth[2], 1.02 * truth[3]};
  std::printf("%zu observations, %d steps of %g days\n", problem.observed.size(),
              problem.observed.back().step, TimeStep);

  const double difference = compareGradients(problem, guess);
  std::printf("  relative difference %.2e\n", difference);

  std::printf("L-BFGS\n");
  const auto begin = std::chrono::steady_clock::now();
  const Point found = minimise(problem, guess);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  std::printf("done in %.2f s\n", spent.count());

  double worst = 0;
  std::printf("  %-16s %-20s %-20s %-20s relative error\n", "unknown", "first guess", "recovered",
              "true");
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double error = std::fabs(found[i] / truth[i] - 1);
    worst = std::max(worst, error);
    std::printf("  %-16s %-20.12g %-20.12g %-20.12g %.1e\n", Names[i], Scale * guess[i],
                Scale * found[i], Scale * truth[i], error);
  }
  if (!(difference < 1e-6)) {
    std::printf("FAILED: the gradient is not that of the simulation\n");
    return 1;
  }
  if (!(worst < 1e-6)) {
    std::printf("FAILED: the true values were not found\n");
    return 1;
  }
  std::printf("ok\n");
}
