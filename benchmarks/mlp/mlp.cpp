//===- mlp.cpp - Loss of a network of three dense layers ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two hidden layers with tanh, and the cross entropy of the normalised exponentials of the
// last one; variables are all weights.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Layers = 3 };

class Perceptron {
public:
  static constexpr const char *Name = "mlp";
  static constexpr Size Sizes[] = {
      {"4-5-3", 4, 5, 3}, {"64-64-32", 64, 64, 32}, {"256-128-64", 256, 128, 64}};

  explicit Perceptron(const Size &size) : widths{size.a, size.b, size.b, 10}, samples(size.c) {
    int count = 0;
    for (int l = 0; l < Layers; l++) {
      begin[l] = count;
      count += widths[l + 1] * (widths[l] + 1);
    }
    const double most = 1.5 / std::sqrt(double(size.a));
    x = numbers(count, 1, -most, most);
    inputs = numbers(std::size_t(samples) * widths[0], 2, -1, 1);
  }

  template <typename Real> Real value(const Real *weights) const {
    using std::exp;
    using std::log;
    using std::tanh;
    std::vector<Real> first(widths[1]), second(widths[2]), last(widths[3]);
    Real total = 0.0;
    for (int s = 0; s < samples; s++) {
      dense(weights + begin[0], &inputs[std::size_t(s) * widths[0]], first.data(), widths[0],
            widths[1]);
      for (Real &v : first)
        v = tanh(v);
      dense(weights + begin[1], first.data(), second.data(), widths[1], widths[2]);
      for (Real &v : second)
        v = tanh(v);
      dense(weights + begin[2], second.data(), last.data(), widths[2], widths[3]);
      Real sum = 0.0;
      for (const Real &v : last)
        sum += exp(v);
      total += log(sum) - last[s % widths[3]];
    }
    return total;
  }

  void byHand(const double *weights, double *g) const {
    std::vector<double> first(widths[1]), second(widths[2]), last(widths[3]);
    std::vector<double> dFirst(widths[1]), dSecond(widths[2]);
    for (int s = 0; s < samples; s++) {
      const double *input = &inputs[std::size_t(s) * widths[0]];
      dense(weights + begin[0], input, first.data(), widths[0], widths[1]);
      for (double &v : first)
        v = std::tanh(v);
      dense(weights + begin[1], first.data(), second.data(), widths[1], widths[2]);
      for (double &v : second)
        v = std::tanh(v);
      dense(weights + begin[2], second.data(), last.data(), widths[2], widths[3]);
      double sum = 0;
      for (double &v : last)
        sum += v = std::exp(v);
      for (double &v : last)
        v /= sum;
      last[s % widths[3]] -= 1;
      denseBack<true>(weights + begin[2], second.data(), last.data(), g + begin[2], dSecond.data(),
                      widths[2], widths[3]);
      for (int i = 0; i < widths[2]; i++)
        dSecond[i] *= 1 - second[i] * second[i];
      denseBack<true>(weights + begin[1], first.data(), dSecond.data(), g + begin[1], dFirst.data(),
                      widths[1], widths[2]);
      for (int i = 0; i < widths[1]; i++)
        dFirst[i] *= 1 - first[i] * first[i];
      denseBack<false>(weights + begin[0], input, dFirst.data(), g + begin[0], nullptr, widths[0],
                       widths[1]);
    }
  }

private:
  /// A row of weights for each output, the constant last.
  template <typename Real, typename In>
  static void dense(const Real *weights, const In *in, Real *out, int from, int to) {
    for (int o = 0; o < to; o++) {
      const Real *row = weights + o * (from + 1);
      Real sum = row[from];
      for (int i = 0; i < from; i++)
        sum += row[i] * in[i];
      out[o] = sum;
    }
  }

  template <bool Inputs>
  static void denseBack(const double *weights, const double *__restrict in, const double *dOut,
                        double *__restrict dWeights, double *__restrict dIn, int from, int to) {
    if (Inputs)
      std::fill_n(dIn, from, 0.0);
    for (int o = 0; o < to; o++) {
      const double *row = weights + o * (from + 1), d = dOut[o];
      double *dRow = dWeights + o * (from + 1);
      for (int i = 0; i < from; i++) {
        dRow[i] += d * in[i];
        if (Inputs)
          dIn[i] += d * row[i];
      }
      dRow[from] += d;
    }
  }

  const int widths[Layers + 1], samples;
  int begin[Layers];

public:
  std::vector<double> x;

private:
  std::vector<double> inputs;
};

} // namespace

int main(int count, char **arguments) { return serve<Perceptron>(count, arguments); }
