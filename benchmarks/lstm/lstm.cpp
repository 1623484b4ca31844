//===- lstm.cpp - Gradient through a long short-term memory --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recurrence of Hochreiter and Schmidhuber with a forget gate. Its cell is a function that
// is not inlined, as in programs that choose between several: the tape of each step passes
// between the two halves of the cell's derivative.
//
//===----------------------------------------------------------------------===//
#include "../timing.h"

enum { Width = 14, Inputs = 2 * Width + 1, Steps = 300 };

static double gate(const double *weights, const double *input, const double *hidden) {
  double sum = weights[2 * Width];
  for (int i = 0; i < Width; i++)
    sum += weights[i] * input[i] + weights[Width + i] * hidden[i];
  return sum;
}

static double logistic(double x) { return 1 / (1 + std::exp(-x)); }

__attribute__((noinline)) static void cell(const double *weights, const double *input,
                                           double *hidden, double *state) {
  double keep[Width], add[Width], show[Width], news[Width];
  for (int i = 0; i < Width; i++) {
    keep[i] = logistic(gate(weights + (4 * i + 0) * Inputs, input, hidden));
    add[i] = logistic(gate(weights + (4 * i + 1) * Inputs, input, hidden));
    show[i] = logistic(gate(weights + (4 * i + 2) * Inputs, input, hidden));
    news[i] = std::tanh(gate(weights + (4 * i + 3) * Inputs, input, hidden));
  }
  for (int i = 0; i < Width; i++) {
    state[i] = keep[i] * state[i] + add[i] * news[i];
    hidden[i] = show[i] * std::tanh(state[i]);
  }
}

static double sequence(const double *weights, const double *inputs) {
  double hidden[Width] = {}, state[Width] = {}, sum = 0;
  for (int s = 0; s < Steps; s++) {
    cell(weights, inputs + s * Width, hidden, state);
    for (int i = 0; i < Width; i++)
      sum += (hidden[i] - inputs[s * Width + i]) * (hidden[i] - inputs[s * Width + i]);
  }
  return sum;
}

int main() {
  const std::vector<double> inputs = numbers(Steps * Width, 9, -1, 1);
  std::vector<double> w = numbers(4 * Width * Inputs, 8, -0.3, 0.3), dw(w.size());
  auto primal = [&] {
    const double value = sequence(w.data(), inputs.data());
    use(value);
    return value;
  };
  auto gradient = [&] {
    std::fill(dw.begin(), dw.end(), 0.0);
    __enzyme_autodiff<void>((void *)sequence, enzyme_dup, w.data(), dw.data(), enzyme_const,
                            inputs.data());
    use(dw[0]);
  };
  return report("lstm", "14 wide, 300 steps", primal, gradient, [&] {
    gradient();
    return slopeError(primal, w, dw);
  });
}
