//===- lstm.cpp - Loss of a long short-term memory ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model of F. Srajer, Z. Kukelova, A. Fitzgibbon, "A Benchmark of Selected Algorithmic
// Differentiation Tools on Some Problems in Computer Vision and Machine Learning" (2018), in
// the form that is common since: gates with diagonal weights, layers one after the other, and
// the logarithm of a normalised exponential for each next element of the sequence.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Width = 14 };

/// Weights of a layer: forget, add, show, news; first those of inputs, then what is added.
struct Layer {
  enum { Forget = 0, Add = Width, Show = 2 * Width, News = 3 * Width, Bias = 4 * Width };
  enum { Size = 8 * Width };
};

template <typename Real> Real logistic(const Real &x) {
  using std::exp;
  return 1.0 / (1.0 + exp(-x));
}

template <typename Real> void step(const Real *w, const Real *input, Real *hidden, Real *state) {
  using std::tanh;
  for (int i = 0; i < Width; i++) {
    const Real *at = w + i, *bias = at + Layer::Bias;
    Real forget = logistic<Real>(input[i] * at[Layer::Forget] + bias[Layer::Forget]);
    Real add = logistic<Real>(hidden[i] * at[Layer::Add] + bias[Layer::Add]);
    Real show = logistic<Real>(input[i] * at[Layer::Show] + bias[Layer::Show]);
    Real news = tanh(hidden[i] * at[Layer::News] + bias[Layer::News]);
    state[i] = state[i] * forget + add * news;
    hidden[i] = show * tanh(state[i]);
  }
}

class Memory {
public:
  static constexpr const char *Name = "lstm";
  static constexpr Size Sizes[] = {{"l2-c5", 2, 5}, {"l2-c1024", 2, 1024}, {"l4-c1024", 4, 1024}};

  explicit Memory(const Size &size)
      : layers(size.a), steps(size.b), x(numbers(layers * Layer::Size + 3 * Width, 8, -0.8, 0.8)),
        sequence(numbers(steps * Width, 9, 0, 1)) {}

  template <typename Real> Real value(const Real *weights) const {
    using std::exp;
    using std::log;
    const Real *ends = weights + layers * Layer::Size;
    std::vector<Real> hidden(layers * Width, Real(0.0)), state(layers * Width, Real(0.0));
    Real input[Width], guess[Width], total = 0.0;
    for (int t = 0; t + 1 < steps; t++) {
      const double *now = &sequence[t * Width], *next = now + Width;
      for (int i = 0; i < Width; i++)
        input[i] = now[i] * ends[i];
      const Real *from = input;
      for (int l = 0; l < layers; l++) {
        step(weights + l * Layer::Size, from, &hidden[l * Width], &state[l * Width]);
        from = &hidden[l * Width];
      }
      Real sum = 2.0;
      for (int i = 0; i < Width; i++) {
        guess[i] = from[i] * ends[Width + i] + ends[2 * Width + i];
        sum += exp(guess[i]);
      }
      const Real norm = log(sum);
      for (int i = 0; i < Width; i++)
        total += next[i] * (guess[i] - norm);
    }
    return -total / double((steps - 1) * Width);
  }

  void byHand(const double *weights, double *g) const {
    kept.resize(std::size_t(steps) * layers * Width);
    rest.resize(std::size_t(steps) * Width);
    forward(weights, kept.data(), rest.data());
    backward(weights, kept.data(), rest.data(), g);
  }

private:
  /// What an element of a layer leaves for the way back.
  struct Kept {
    double forget, add, show, news, before, squashed, hiddenBefore, hidden;
  };

  /// rest: adjoints of the guesses.
  void forward(const double *weights, Kept *kept, double *rest) const {
    const double *ends = weights + layers * Layer::Size, scale = -1.0 / ((steps - 1) * Width);
    std::vector<double> hidden(layers * Width), state(layers * Width);
    for (int t = 0; t + 1 < steps; t++, rest += Width) {
      const double *now = &sequence[t * Width], *next = now + Width;
      double from[Width];
      for (int i = 0; i < Width; i++)
        from[i] = now[i] * ends[i];
      for (int l = 0; l < layers; l++, kept += Width)
        for (int i = 0; i < Width; i++) {
          const double *at = weights + l * Layer::Size + i, *bias = at + Layer::Bias;
          double &h = hidden[l * Width + i], &s = state[l * Width + i];
          Kept &k = kept[i];
          k.forget = logistic(from[i] * at[Layer::Forget] + bias[Layer::Forget]);
          k.add = logistic(h * at[Layer::Add] + bias[Layer::Add]);
          k.show = logistic(from[i] * at[Layer::Show] + bias[Layer::Show]);
          k.news = std::tanh(h * at[Layer::News] + bias[Layer::News]);
          k.before = s;
          k.hiddenBefore = h;
          s = s * k.forget + k.add * k.news;
          k.squashed = std::tanh(s);
          k.hidden = from[i] = h = k.show * k.squashed;
        }
      double sum = 2, target = 0;
      for (int i = 0; i < Width; i++) {
        rest[i] = std::exp(from[i] * ends[Width + i] + ends[2 * Width + i]);
        sum += rest[i];
        target += next[i];
      }
      for (int i = 0; i < Width; i++)
        rest[i] = scale * (next[i] - target * rest[i] / sum);
    }
  }

  void backward(const double *weights, const Kept *kept, const double *rest, double *g) const {
    const double *ends = weights + layers * Layer::Size;
    double *dEnds = g + layers * Layer::Size;
    std::vector<double> dHidden(layers * Width), dState(layers * Width);
    kept += std::size_t(steps - 1) * layers * Width;
    rest += std::size_t(steps - 1) * Width;
    for (int t = steps - 1; t-- > 0;) {
      const double *now = &sequence[t * Width];
      double dOut[Width];
      rest -= Width;
      kept -= Width;
      for (int i = 0; i < Width; i++) {
        dOut[i] = rest[i] * ends[Width + i];
        dEnds[Width + i] += rest[i] * kept[i].hidden;
        dEnds[2 * Width + i] += rest[i];
      }
      for (int l = layers; l-- > 0;) {
        for (int i = 0; i < Width; i++) {
          const double *at = weights + l * Layer::Size + i;
          double *d = g + l * Layer::Size + i, *dBias = d + Layer::Bias;
          const Kept &k = kept[i];
          const double input = l ? kept[i - Width].hidden : now[i] * ends[i];
          double &dh = dHidden[l * Width + i], &ds = dState[l * Width + i];
          const double dout = dOut[i] + dh;
          ds += dout * k.show * (1 - k.squashed * k.squashed);
          const double show = dout * k.squashed * k.show * (1 - k.show);
          const double forget = ds * k.before * k.forget * (1 - k.forget);
          const double add = ds * k.news * k.add * (1 - k.add);
          const double news = ds * k.add * (1 - k.news * k.news);
          ds *= k.forget;
          d[Layer::Forget] += forget * input;
          d[Layer::Add] += add * k.hiddenBefore;
          d[Layer::Show] += show * input;
          d[Layer::News] += news * k.hiddenBefore;
          dBias[Layer::Forget] += forget;
          dBias[Layer::Add] += add;
          dBias[Layer::Show] += show;
          dBias[Layer::News] += news;
          dh = add * at[Layer::Add] + news * at[Layer::News];
          dOut[i] = forget * at[Layer::Forget] + show * at[Layer::Show];
        }
        if (l > 0)
          kept -= Width;
      }
      for (int i = 0; i < Width; i++)
        dEnds[i] += dOut[i] * now[i];
    }
  }

  const int layers, steps;
  mutable std::vector<Kept> kept; ///< stays between calls, as does rest
  mutable std::vector<double> rest;

public:
  std::vector<double> x;

private:
  const std::vector<double> sequence;
};

} // namespace

int main(int count, char **arguments) { return serve<Memory>(count, arguments); }
