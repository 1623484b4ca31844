//===- recurrent.cpp - A long short-term memory with full matrices --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recurrence of Hochreiter and Schmidhuber with a forget gate. Its cell is a function that
// is not inlined, as in programs that choose between several. Variables are the weights.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Width = 14, Inputs = 2 * Width + 1, Gates = 4 };
enum { Keep, Add, Show, News };

template <typename Real> Real gate(const Real *weights, const double *input, const Real *hidden) {
  Real sum = weights[2 * Width];
  for (int i = 0; i < Width; i++)
    sum += weights[i] * input[i] + weights[Width + i] * hidden[i];
  return sum;
}

template <typename Real> Real logistic(const Real &x) {
  using std::exp;
  return 1.0 / (1.0 + exp(-x));
}

template <typename Real>
__attribute__((noinline)) void cell(const Real *weights, const double *input, Real *hidden,
                                    Real *state) {
  using std::tanh;
  Real gates[Gates][Width];
  for (int i = 0; i < Width; i++) {
    for (int k = Keep; k <= Show; k++)
      gates[k][i] = logistic<Real>(gate(weights + (Gates * i + k) * Inputs, input, hidden));
    gates[News][i] = tanh(gate(weights + (Gates * i + News) * Inputs, input, hidden));
  }
  for (int i = 0; i < Width; i++) {
    state[i] = gates[Keep][i] * state[i] + gates[Add][i] * gates[News][i];
    hidden[i] = gates[Show][i] * tanh(state[i]);
  }
}

class Recurrent {
public:
  static constexpr const char *Name = "recurrent";
  static constexpr Size Sizes[] = {{"4", 4}, {"300", 300}, {"3000", 3000}};

  explicit Recurrent(const Size &size)
      : steps(size.a), x(numbers(Gates * Width * Inputs, 8, -0.3, 0.3)),
        inputs(numbers(steps * Width, 9, -1, 1)) {}

  template <typename Real> Real value(const Real *weights) const {
    Real hidden[Width], state[Width], sum = 0.0;
    for (int i = 0; i < Width; i++)
      hidden[i] = state[i] = 0.0;
    for (int s = 0; s < steps; s++) {
      const double *input = &inputs[s * Width];
      cell(weights, input, hidden, state);
      for (int i = 0; i < Width; i++)
        sum += (hidden[i] - input[i]) * (hidden[i] - input[i]);
    }
    return sum;
  }

  void byHand(const double *weights, double *g) const {
    tape.resize(steps + 1);
    for (int s = 0; s < steps; s++)
      forward(weights, &inputs[s * Width], tape[s], tape[s + 1]);
    double dHidden[Width] = {}, dState[Width] = {};
    for (int s = steps; s-- > 0;)
      backward(weights, &inputs[s * Width], tape[s], tape[s + 1], dHidden, dState, g);
  }

private:
  /// State and hidden state before a step, and what the gates say in it.
  struct Kept {
    double hidden[Width] = {}, state[Width] = {}, squashed[Width], gates[Gates][Width];
  };

  static void forward(const double *weights, const double *input, Kept &now, Kept &next) {
    for (int i = 0; i < Width; i++) {
      for (int k = Keep; k <= Show; k++)
        now.gates[k][i] = logistic(gate(weights + (Gates * i + k) * Inputs, input, now.hidden));
      now.gates[News][i] =
          std::tanh(gate(weights + (Gates * i + News) * Inputs, input, now.hidden));
    }
    for (int i = 0; i < Width; i++) {
      next.state[i] = now.gates[Keep][i] * now.state[i] + now.gates[Add][i] * now.gates[News][i];
      now.squashed[i] = std::tanh(next.state[i]);
      next.hidden[i] = now.gates[Show][i] * now.squashed[i];
    }
  }

  static void backward(const double *weights, const double *input, const Kept &now,
                       const Kept &next, double *dHidden, double *dState, double *g) {
    double d[Gates][Width];
    for (int i = 0; i < Width; i++) {
      const double keep = now.gates[Keep][i], add = now.gates[Add][i], show = now.gates[Show][i],
                   news = now.gates[News][i], by = dHidden[i] + 2 * (next.hidden[i] - input[i]);
      dState[i] += by * show * (1 - now.squashed[i] * now.squashed[i]);
      d[Show][i] = by * now.squashed[i] * show * (1 - show);
      d[Keep][i] = dState[i] * now.state[i] * keep * (1 - keep);
      d[Add][i] = dState[i] * news * add * (1 - add);
      d[News][i] = dState[i] * add * (1 - news * news);
      dState[i] *= keep;
      dHidden[i] = 0;
    }
    for (int i = 0; i < Width; i++)
      for (int k = 0; k < Gates; k++) {
        const double *w = weights + (Gates * i + k) * Inputs, by = d[k][i];
        double *dw = g + (Gates * i + k) * Inputs;
        for (int j = 0; j < Width; j++) {
          dw[j] += by * input[j];
          dw[Width + j] += by * now.hidden[j];
          dHidden[j] += by * w[Width + j];
        }
        dw[2 * Width] += by;
      }
  }

  const int steps;
  mutable std::vector<Kept> tape; ///< stays between calls

public:
  std::vector<double> x;

private:
  const std::vector<double> inputs;
};

} // namespace

int main(int count, char **arguments) { return serve<Recurrent>(count, arguments); }
