//===- blackscholes.cpp - Gradient of prices of options ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formula of Black and Scholes for calls; its derivatives by spot and volatility, delta and
// vega, are known, and beside them the gradient is judged.
//
//===----------------------------------------------------------------------===//
#include "../timing.h"

struct Book {
  const double *strike, *rate, *years;
  int count;
};

static double below(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752); }

static double worth(const double *spot, const double *volatility, const Book *book) {
  double sum = 0;
  for (int i = 0; i < book->count; i++) {
    const double wide = volatility[i] * std::sqrt(book->years[i]);
    const double up = (std::log(spot[i] / book->strike[i]) + book->rate[i] * book->years[i]) / wide +
                      0.5 * wide;
    sum += spot[i] * below(up) -
           book->strike[i] * std::exp(-book->rate[i] * book->years[i]) * below(up - wide);
  }
  return sum;
}

static void byHand(const double *spot, const double *volatility, const Book *book, double *delta,
                   double *vega) {
  for (int i = 0; i < book->count; i++) {
    const double root = std::sqrt(book->years[i]), wide = volatility[i] * root;
    const double up = (std::log(spot[i] / book->strike[i]) + book->rate[i] * book->years[i]) / wide +
                      0.5 * wide;
    delta[i] = below(up);
    vega[i] = spot[i] * std::exp(-0.5 * up * up) * 0.39894228040143268 * root;
  }
}

int main() {
  const int n = 20000;
  const std::vector<double> spot = numbers(n, 1, 80, 120), strike = numbers(n, 2, 80, 120),
                            rate = numbers(n, 3, 0.01, 0.05), years = numbers(n, 4, 0.2, 2),
                            volatility = numbers(n, 5, 0.1, 0.5);
  const Book book = {strike.data(), rate.data(), years.data(), n};
  std::vector<double> dspot(n), dvolatility(n), delta(n), vega(n);
  auto primal = [&] { use(worth(spot.data(), volatility.data(), &book)); };
  auto gradient = [&] {
    std::fill(dspot.begin(), dspot.end(), 0.0);
    std::fill(dvolatility.begin(), dvolatility.end(), 0.0);
    __enzyme_autodiff<void>((void *)worth, enzyme_dup, spot.data(), dspot.data(), enzyme_dup,
                            volatility.data(), dvolatility.data(), enzyme_const, &book);
    use(dspot[0]);
  };
  auto hand = [&] {
    byHand(spot.data(), volatility.data(), &book, delta.data(), vega.data());
    use(delta[0]);
  };
  auto wrong = [&] {
    gradient();
    hand();
    return std::max(largestError(dspot, delta), largestError(dvolatility, vega));
  };
  const int status = report("blackscholes", "20 000 options", primal, gradient, wrong);
  return status | report("  by hand", "", primal, hand, wrong);
}
