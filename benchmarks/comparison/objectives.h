//===- objectives.h - What all tools differentiate --------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates, because tools that overload operators need their own type of number.
// jax_objectives.py has the same three in Python.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_COMPARISON_OBJECTIVES_H
#define ISOZYME_BENCHMARKS_COMPARISON_OBJECTIVES_H

#include <cmath>
#include <vector>

/// Logistic regression: 500 points of 50 features; variables are the 50 weights.
template <typename Real> Real logistic(const Real *weights) {
  using std::exp;
  using std::log;
  Real sum = 0;
  for (int point = 0; point < 500; ++point) {
    Real z = 0;
    for (int i = 0; i < 50; ++i)
      z += weights[i] * (((point * 31 + i * 17) % 101) / 50.0 - 1);
    sum += log(1 + exp((point % 3 ? 1.0 : -1.0) * z));
  }
  return sum;
}

/// A driven pendulum, 2000 steps of time; variables are start, speed, friction and force.
template <typename Real> Real pendulum(const Real *p) {
  using std::sin;
  Real angle = p[0], speed = p[1];
  for (int step = 0; step < 2000; ++step) {
    const Real force = p[3] * std::cos(0.01 * step) - p[2] * speed - sin(angle);
    speed += 0.005 * force;
    angle += 0.005 * speed;
  }
  return angle * angle + speed * speed;
}

/// Diffusion with a reaction on 200 points, 200 steps of time; variables are the start.
template <typename Real> Real diffusion(const Real *start) {
  const int n = 200;
  std::vector<Real> now(start, start + n), next(start, start + n);
  for (int step = 0; step < 200; ++step) {
    for (int i = 1; i + 1 < n; ++i)
      next[i] = now[i] + 0.2 * (now[i - 1] - 2.0 * now[i] + now[i + 1]) - 0.01 * now[i] * now[i];
    now.swap(next);
  }
  Real sum = 0;
  for (int i = 0; i < n; ++i)
    sum += now[i] * now[i];
  return sum;
}

#endif
