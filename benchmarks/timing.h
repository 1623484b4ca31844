//===- timing.h - Time of a gradient in times of the primal -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both are measured in turn in one process, in processor time, so that their ratio
// means something on a machine that is not quiet. A line of the table that benchmarks/run prints.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_TIMING_H
#define ISOZYME_BENCHMARKS_TIMING_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

extern "C" int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_out;
template <typename Return, typename... Args> Return __enzyme_autodiff(void *, Args...);

/// Seconds that one call takes, the best of several, each long enough to measure.
template <typename F> double secondsPerCall(F work, int calls) {
  const std::clock_t begin = std::clock();
  for (int i = 0; i < calls; ++i)
    work();
  return double(std::clock() - begin) / CLOCKS_PER_SEC / calls;
}

/// Prints one line: name, size, times, ratio, and how far a directional
/// derivative is from central differences of the primal. Returns the exit status.
template <typename Primal, typename Gradient, typename Error>
int report(const char *name, const char *size, Primal primal, Gradient gradient, Error error) {
  const double wrong = error();
  int calls = 1;
  while (calls < (1 << 20) && secondsPerCall(primal, calls) * calls < 0.02)
    calls *= 2;
  double bestPrimal = HUGE_VAL, bestGradient = HUGE_VAL;
  for (int round = 0; round < 7; ++round) {
    bestPrimal = std::min(bestPrimal, secondsPerCall(primal, calls));
    bestGradient = std::min(bestGradient, secondsPerCall(gradient, std::max(1, calls / 4)));
  }
  std::printf("%-12s %-26s %10.3f ms %10.3f ms %8.2f   %.1e\n", name, size, bestPrimal * 1e3,
              bestGradient * 1e3, bestGradient / bestPrimal, wrong);
  return wrong < 1e-5 ? 0 : 1;
}

/// The relative difference of <gradient, v> and the slope of \p value along \p v.
/// \p x is moved and put back.
template <typename Value>
double slopeError(Value value, std::vector<double> &x, const std::vector<double> &gradient) {
  const std::vector<double> start = x;
  const double h = 1e-5;
  double along = 0, values[2];
  for (int side = 0; side < 2; ++side) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = start[i] + (side ? -h : h) * std::sin(i + 1.0);
    values[side] = value();
  }
  x = start;
  for (std::size_t i = 0; i < x.size(); ++i)
    along += gradient[i] * std::sin(i + 1.0);
  const double slope = (values[0] - values[1]) / (2 * h);
  return std::fabs(along - slope) / std::max(1e-30, std::fabs(slope));
}

/// The largest difference of two gradients, beside the largest number in the second.
inline double largestError(const std::vector<double> &found, const std::vector<double> &right) {
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    error = std::max(error, std::fabs(found[i] - right[i]));
    largest = std::max(largest, std::fabs(right[i]));
  }
  return error / largest;
}

/// Numbers between \p low and \p high, the same everywhere.
inline std::vector<double> numbers(std::size_t count, unsigned seed, double low, double high) {
  std::vector<double> result(count);
  for (double &v : result) {
    seed = seed * 1664525u + 1013904223u;
    v = low + (high - low) * ((seed >> 8) / 16777216.0);
  }
  return result;
}

/// Keeps the compiler from leaving a computation out.
inline void use(double value) { asm volatile("" : : "x"(value) : "memory"); }

#endif
