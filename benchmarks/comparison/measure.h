//===- measure.h - One line for each tool and objective ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function in plain double and the gradient are measured in turn.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_COMPARISON_MEASURE_H
#define ISOZYME_BENCHMARKS_COMPARISON_MEASURE_H

#include "../timing.h"
#include "objectives.h"

/// Calls \p gradient(x, g) and prints tool, objective, times, ratio, and the error
/// against central differences.
template <typename Gradient>
int measure(const char *tool, const char *name, double (*primal)(const double *), int n,
            Gradient gradient) {
  std::vector<double> x = numbers(n, 7, 0.1, 0.9), g(n);
  const auto value = [&] {
    const double result = primal(x.data());
    use(result);
    return result;
  };
  return report(tool, name, value, [&] {
    gradient(x.data(), g.data());
    use(g[0]);
  }, [&] {
    gradient(x.data(), g.data());
    return slopeError(value, x, g);
  });
}

/// For a tool whose gradient is gradient(f, x, n, g), with f a template of its numbers.
#define MEASURE_ALL(TOOL, GRADIENT, REAL)                                                          \
  (measure(TOOL, "logistic, 50 variables", logistic<double>, 50,                                   \
           [](const double *x, double *g) { GRADIENT(logistic<REAL>, x, 50, g); }) |               \
   measure(TOOL, "pendulum, 4 variables", pendulum<double>, 4,                                     \
           [](const double *x, double *g) { GRADIENT(pendulum<REAL>, x, 4, g); }) |                \
   measure(TOOL, "diffusion, 200 variables", diffusion<double>, 200,                               \
           [](const double *x, double *g) { GRADIENT(diffusion<REAL>, x, 200, g); }))

#endif
