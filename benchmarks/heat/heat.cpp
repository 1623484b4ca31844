//===- heat.cpp - Gradient through a reaction and diffusion in two dimensions ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equation of Fisher: u_t = d (u_xx + u_yy) + r u (1 - u) on a square, zero at the border,
// in explicit steps. The adjoint by hand keeps every state in one array.
//
//===----------------------------------------------------------------------===//
#include "../timing.h"

enum { Side = 48, Points = Side * Side, Steps = 100 };
static const double diffusion = 0.15, growth = 0.05;

static double spread(const double *start, double *now, double *next) {
  for (int i = 0; i < Points; i++)
    now[i] = start[i];
  for (int s = 0; s < Steps; s++) {
    for (int y = 1; y + 1 < Side; y++)
      for (int x = 1; x + 1 < Side; x++) {
        const int i = y * Side + x;
        next[i] = now[i] + growth * now[i] * (1 - now[i]) +
                  diffusion * (now[i - 1] + now[i + 1] + now[i - Side] + now[i + Side] - 4 * now[i]);
      }
    for (int y = 1; y + 1 < Side; y++)
      for (int x = 1; x + 1 < Side; x++)
        now[y * Side + x] = next[y * Side + x];
  }
  double sum = 0;
  for (int i = 0; i < Points; i++)
    sum += now[i] * now[i];
  return sum;
}

/// The adjoint of a step gathers from the neighbours, as the step does. \p states has room
/// for one more than there are steps.
static void byHand(const double *start, double *states, double *adjoint, double *before) {
  for (int i = 0; i < Points; i++)
    states[i] = start[i];
  for (int s = 0; s < Steps; s++) {
    const double *now = states + s * Points;
    double *next = states + (s + 1) * Points;
    for (int i = 0; i < Points; i++)
      next[i] = now[i];
    for (int y = 1; y + 1 < Side; y++)
      for (int x = 1; x + 1 < Side; x++) {
        const int i = y * Side + x;
        next[i] = now[i] + growth * now[i] * (1 - now[i]) +
                  diffusion * (now[i - 1] + now[i + 1] + now[i - Side] + now[i + Side] - 4 * now[i]);
      }
  }
  for (int i = 0; i < Points; i++)
    adjoint[i] = 2 * states[Steps * Points + i];
  auto inside = [](int y, int x) { return y > 0 && x > 0 && y + 1 < Side && x + 1 < Side; };
  for (int s = Steps; s-- > 0;) {
    const double *now = states + s * Points;
    for (int y = 0; y < Side; y++)
      for (int x = 0; x < Side; x++) {
        const int i = y * Side + x;
        double sum = 0;
        if (inside(y, x - 1))
          sum += adjoint[i - 1];
        if (inside(y, x + 1))
          sum += adjoint[i + 1];
        if (inside(y - 1, x))
          sum += adjoint[i - Side];
        if (inside(y + 1, x))
          sum += adjoint[i + Side];
        before[i] = diffusion * sum + (inside(y, x) ? adjoint[i] * (1 + growth * (1 - 2 * now[i]) -
                                                                    4 * diffusion)
                                                    : adjoint[i]);
      }
    for (int i = 0; i < Points; i++)
      adjoint[i] = before[i];
  }
}

int main() {
  const std::vector<double> start = numbers(Points, 7, 0, 1);
  std::vector<double> dstart(Points), now(Points), next(Points), dnow(Points), dnext(Points);
  std::vector<double> states((Steps + 1) * Points), adjoint(Points), before(Points);
  auto primal = [&] { use(spread(start.data(), now.data(), next.data())); };
  auto gradient = [&] {
    for (std::vector<double> *v : {&dstart, &dnow, &dnext})
      std::fill(v->begin(), v->end(), 0.0);
    __enzyme_autodiff<void>((void *)spread, enzyme_dup, start.data(), dstart.data(),
                            enzyme_dupnoneed, now.data(), dnow.data(), enzyme_dupnoneed,
                            next.data(), dnext.data());
    use(dstart[0]);
  };
  auto hand = [&] {
    byHand(start.data(), states.data(), adjoint.data(), before.data());
    use(adjoint[0]);
  };
  auto wrong = [&] {
    gradient();
    hand();
    return largestError(dstart, adjoint);
  };
  const int status = report("heat", "48 x 48 points, 100 steps", primal, gradient, wrong);
  return status | report("  by hand", "", primal, hand, wrong);
}
