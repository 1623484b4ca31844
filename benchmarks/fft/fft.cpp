//===- fft.cpp - Gradient through a fast Fourier transform ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The radix-2 algorithm of Cooley and Tukey, in place, on the product of a signal with a window;
// then a weighted sum of fourth powers of the amplitudes.
//
//===----------------------------------------------------------------------===//
#include "../timing.h"

/// \p turns: cosines and sines of 2 pi k / n.
static void transform(double *re, double *im, const double *turns, int n) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      std::swap(re[i], re[j]);
      std::swap(im[i], im[j]);
    }
  }
  for (int half = 1; half < n; half *= 2)
    for (int start = 0; start < n; start += 2 * half)
      for (int k = 0; k < half; k++) {
        const double c = turns[2 * k * (n / (2 * half))], s = -turns[2 * k * (n / (2 * half)) + 1];
        const int a = start + k, b = a + half;
        const double x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
}

static double spectrum(const double *signal, double *re, double *im, const double *turns, int n) {
  for (int i = 0; i < n; i++) {
    re[i] = signal[i] * (0.5 - 0.5 * turns[2 * i]);
    im[i] = 0;
  }
  transform(re, im, turns, n);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double power = (re[i] * re[i] + im[i] * im[i]) / n;
    sum += power * power / (1 + i);
  }
  return sum;
}

int main() {
  const int n = 4096;
  std::vector<double> x = numbers(n, 6, -1, 1), dx(n), re(n), im(n), dre(n), dim(n), turns(2 * n);
  for (int i = 0; i < n; i++) {
    turns[2 * i] = std::cos(2 * std::acos(-1.0) * i / n);
    turns[2 * i + 1] = std::sin(2 * std::acos(-1.0) * i / n);
  }
  auto primal = [&] {
    const double value = spectrum(x.data(), re.data(), im.data(), turns.data(), n);
    use(value);
    return value;
  };
  auto gradient = [&] {
    for (std::vector<double> *v : {&dx, &dre, &dim})
      std::fill(v->begin(), v->end(), 0.0);
    __enzyme_autodiff<void>((void *)spectrum, enzyme_dup, x.data(), dx.data(), enzyme_dupnoneed,
                            re.data(), dre.data(), enzyme_dupnoneed, im.data(), dim.data(),
                            enzyme_const, turns.data(), enzyme_const, n);
    use(dx[0]);
  };
  return report("fft", "4096 numbers", primal, gradient, [&] {
    gradient();
    return slopeError(primal, x, dx);
  });
}
