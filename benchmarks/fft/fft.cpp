//===- fft.cpp - Gradient through a fast Fourier transform ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The radix-2 algorithm of Cooley and Tukey, in place, on the product of a signal with a
// window; then a weighted sum of fourth powers of the amplitudes. The transform is linear:
// by hand, adjoints go through the inverse one.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

class Spectrum {
public:
  static constexpr const char *Name = "fft";
  static constexpr Size Sizes[] = {{"16", 16}, {"4096", 4096}, {"65536", 65536}};

  explicit Spectrum(const Size &size) : n(size.a), x(numbers(n, 6, -1, 1)), turns(2 * n) {
    for (int i = 0; i < n; i++) {
      turns[2 * i] = std::cos(2 * std::acos(-1.0) * i / n);
      turns[2 * i + 1] = std::sin(2 * std::acos(-1.0) * i / n);
    }
  }

  template <typename Real> Real value(const Real *signal) const {
    std::vector<Real> re(n), im(n);
    for (int i = 0; i < n; i++) {
      re[i] = signal[i] * window(i);
      im[i] = 0.0;
    }
    transform(re.data(), im.data(), -1);
    Real sum = 0.0;
    for (int i = 0; i < n; i++) {
      const Real power = (re[i] * re[i] + im[i] * im[i]) / double(n);
      sum += power * power / (1.0 + i);
    }
    return sum;
  }

  void byHand(const double *signal, double *g) const {
    std::vector<double> im(n);
    for (int i = 0; i < n; i++)
      g[i] = signal[i] * window(i);
    transform(g, im.data(), -1);
    for (int i = 0; i < n; i++) {
      const double by = 4 * (g[i] * g[i] + im[i] * im[i]) / (double(n) * n * (1.0 + i));
      g[i] *= by;
      im[i] *= by;
    }
    transform(g, im.data(), 1);
    for (int i = 0; i < n; i++)
      g[i] *= window(i);
  }

private:
  double window(int i) const { return 0.5 - 0.5 * turns[2 * i]; }

  /// \p sign: of the exponents.
  template <typename Real> void transform(Real *re, Real *im, double sign) const {
    using std::swap;
    for (int i = 1, j = 0; i < n; i++) {
      int bit = n >> 1;
      for (; j & bit; bit >>= 1)
        j ^= bit;
      j ^= bit;
      if (i < j) {
        swap(re[i], re[j]);
        swap(im[i], im[j]);
      }
    }
    const double *turn = turns.data();
    for (int half = 1, stride = n; half < n; half *= 2) {
      stride /= 2;
      for (int start = 0; start < n; start += 2 * half)
        for (int k = 0; k < half; k++) {
          const double c = turn[2 * k * stride], s = sign * turn[2 * k * stride + 1];
          const int a = start + k, b = a + half;
          const Real x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
          re[b] = re[a] - x;
          im[b] = im[a] - y;
          re[a] += x;
          im[a] += y;
        }
    }
  }

  const int n;

public:
  std::vector<double> x;

private:
  std::vector<double> turns;
};

} // namespace

int main(int count, char **arguments) { return serve<Spectrum>(count, arguments); }
