//===- blackscholes.cpp - Gradient of prices of options -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formula of Black and Scholes for calls; variables are spots and volatilities. By hand:
// delta and vega by their formulas.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

double below(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752); }

#if defined(BENCH_ADOLC)
adouble below(const adouble &x) { return 0.5 + 0.5 * erf(x * 0.70710678118654752); }
#elif defined(BENCH_CPPAD)
Overloaded below(const Overloaded &x) { return 0.5 * CppAD::erfc(-x * 0.70710678118654752); }
#endif

class Options {
public:
  static constexpr const char *Name = "blackscholes";
  static constexpr Size Sizes[] = {{"20", 20}, {"20000", 20000}, {"100000", 100000}};

  explicit Options(const Size &size)
      : n(size.a), x(2 * n), strike(numbers(n, 2, 80, 120)), rate(numbers(n, 3, 0.01, 0.05)),
        years(numbers(n, 4, 0.2, 2)) {
    const std::vector<double> spot = numbers(n, 1, 80, 120), volatility = numbers(n, 5, 0.1, 0.5);
    std::copy(spot.begin(), spot.end(), x.begin());
    std::copy(volatility.begin(), volatility.end(), x.begin() + n);
  }

  template <typename Real>
    requires requires(const Real &v) { below(v); }
  Real value(const Real *at) const {
    using std::exp;
    using std::log;
    using std::sqrt;
    const Real *spot = at, *volatility = at + n;
    Real sum = 0.0;
    for (int i = 0; i < n; i++) {
      const Real wide = volatility[i] * sqrt(years[i]);
      const Real up = (log(spot[i] / strike[i]) + rate[i] * years[i]) / wide + 0.5 * wide;
      sum += spot[i] * below(up) - strike[i] * exp(-rate[i] * years[i]) * below(Real(up - wide));
    }
    return sum;
  }

  void byHand(const double *at, double *g) const {
    const double *spot = at, *volatility = at + n;
    for (int i = 0; i < n; i++) {
      const double root = std::sqrt(years[i]), wide = volatility[i] * root;
      const double up = (std::log(spot[i] / strike[i]) + rate[i] * years[i]) / wide + 0.5 * wide;
      g[i] = below(up);
      g[n + i] = spot[i] * std::exp(-0.5 * up * up) * 0.39894228040143268 * root;
    }
  }

private:
  const int n;

public:
  std::vector<double> x;

private:
  const std::vector<double> strike, rate, years;
};

} // namespace

int main(int count, char **arguments) { return serve<Options>(count, arguments); }
