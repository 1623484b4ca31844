//===- attention.cpp - One head of attention ------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries, keys and values are products of the tokens with three matrices; each output is
// the mean of the values, weighted by exp(query key / sqrt(width)). Variables are the three
// matrices; the result is half the sum of the squares of the outputs.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Attention {
public:
  static constexpr const char *Name = "attention";
  static constexpr Size Sizes[] = {{"5x4", 5, 4}, {"64x32", 64, 32}, {"256x32", 256, 32}};

  explicit Attention(const Size &size)
      : tokens(size.a), width(size.b), scale(1 / std::sqrt(double(width))),
        x(numbers(3 * width * width, 1, -0.4, 0.4)), inputs(numbers(tokens * width, 2, -1, 1)) {}

  template <typename Real> Real value(const Real *at) const {
    using std::exp;
    std::vector<Real> qkv(3 * tokens * width), scores(tokens), mean(width);
    for (int m = 0; m < 3; m++)
      product(inputs.data(), at + m * width * width, &qkv[m * tokens * width]);
    const Real *q = &qkv[0], *k = q + tokens * width, *v = k + tokens * width;
    Real total = 0.0;
    for (int t = 0; t < tokens; t++) {
      Real largest = -1e300, sum = 0.0;
      for (int s = 0; s < tokens; s++) {
        Real dot = 0.0;
        for (int i = 0; i < width; i++)
          dot += q[t * width + i] * k[s * width + i];
        scores[s] = dot * scale;
        if (largest < scores[s])
          largest = scores[s];
      }
      for (int i = 0; i < width; i++)
        mean[i] = 0.0;
      for (int s = 0; s < tokens; s++) {
        const Real weight = exp(scores[s] - largest);
        sum += weight;
        for (int i = 0; i < width; i++)
          mean[i] += weight * v[s * width + i];
      }
      for (int i = 0; i < width; i++)
        total += 0.5 * (mean[i] / sum) * (mean[i] / sum);
    }
    return total;
  }

  void byHand(const double *at, double *g) const {
    const int size = tokens * width;
    std::vector<double> qkv(3 * size), dqkv(3 * size), weights(tokens), out(width);
    for (int m = 0; m < 3; m++)
      product(inputs.data(), at + m * width * width, &qkv[m * size]);
    const double *q = &qkv[0], *k = q + size, *v = k + size;
    double *dq = &dqkv[0], *dk = dq + size, *dv = dk + size;
    for (int t = 0; t < tokens; t++) {
      double largest = -1e300, sum = 0;
      for (int s = 0; s < tokens; s++) {
        weights[s] = scale * dot(q + t * width, k + s * width);
        largest = std::max(largest, weights[s]);
      }
      std::fill(out.begin(), out.end(), 0.0);
      for (int s = 0; s < tokens; s++) {
        sum += weights[s] = std::exp(weights[s] - largest);
        add(weights[s], v + s * width, out.data());
      }
      double square = 0;
      for (double &o : out) {
        o /= sum;
        square += o * o;
      }
      for (int s = 0; s < tokens; s++) {
        const double p = weights[s] / sum;
        const double d = p * (dot(out.data(), v + s * width) - square) * scale;
        add(p, out.data(), dv + s * width);
        add(d, k + s * width, dq + t * width);
        add(d, q + t * width, dk + s * width);
      }
    }
    for (int m = 0; m < 3; m++)
      for (int t = 0; t < tokens; t++)
        for (int j = 0; j < width; j++)
          add(inputs[t * width + j], &dqkv[m * size + t * width], g + (m * width + j) * width);
  }

private:
  /// out = in w, a row for each token.
  template <typename Real> void product(const double *in, const Real *w, Real *out) const {
    for (int t = 0; t < tokens; t++) {
      for (int i = 0; i < width; i++)
        out[t * width + i] = 0.0;
      for (int j = 0; j < width; j++)
        for (int i = 0; i < width; i++)
          out[t * width + i] += in[t * width + j] * w[j * width + i];
    }
  }

  double dot(const double *a, const double *b) const {
    double sums[4] = {0, 0, 0, 0}; // widths are multiples of four
    for (int i = 0; i < width; i += 4)
      for (int k = 0; k < 4; k++)
        sums[k] += a[i + k] * b[i + k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  void add(double factor, const double *__restrict from, double *__restrict to) const {
    for (int i = 0; i < width; i++)
      to[i] += factor * from[i];
  }

  const int tokens, width;
  const double scale;

public:
  std::vector<double> x;

private:
  const std::vector<double> inputs;
};

} // namespace

int main(int count, char **arguments) { return serve<Attention>(count, arguments); }
