//===- gmm.cpp - Likelihood of a Gaussian mixture -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters are the weights, the means and the factors of the inverse covariances;
// objective.h says where it was published.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"
#include "gradient.h"

#if defined(BENCH_ADOLC) || defined(BENCH_SACADO) || defined(BENCH_CPPAD)
#undef GMM_NUMBER
#undef GMM_NEW
#undef GMM_DELETE
#define GMM_NUMBER Overloaded
#define GMM_NEW(count) new Overloaded[count]
#define GMM_DELETE(array) delete[] array
namespace overloaded {
#include "objective.h"
} // namespace overloaded
#define GMM_OVERLOADED
#endif

namespace {

class Mixture {
public:
  static constexpr const char *Name = "gmm";
  static constexpr Size Sizes[] = {{"d3-k4", 3, 4, 30},
                                   {"d2-k5", 2, 5, 1000},
                                   {"d10-k25", 10, 25, 1000},
                                   {"d20-k50", 20, 50, 1000},
                                   {"d64-k25", 64, 25, 1000}};

  explicit Mixture(const Size &size)
      : d(size.a), k(size.b), n(size.c),
        x(numbers(k * (1 + d + d + d * (d - 1) / 2), 1, -0.5, 0.5)),
        points(numbers(n * d, 2, -1.5, 1.5)) {}

  double evaluate(const double *at) const {
    double err;
    gmm_objective(d, k, n, at, means(at), factors(at), points.data(), Prior, &err);
    return err;
  }
#ifdef GMM_OVERLOADED
  Overloaded value(const Overloaded *at) const {
    Overloaded err;
    overloaded::gmm_objective(d, k, n, at, means(at), factors(at), points.data(), {1.0, 1}, &err);
    return err;
  }
#endif
  void derive(double *g) const {
    const double *at = x.data();
    double err, derr = 1;
    __enzyme_autodiff<void>((void *)gmm_objective, enzyme_const, d, enzyme_const, k, enzyme_const,
                            n, enzyme_dup, at, g, enzyme_dup, means(at), means(g), enzyme_dup,
                            factors(at), factors(g), enzyme_const, points.data(), enzyme_const,
                            Prior, enzyme_dup, &err, &derr);
  }
  void byHand(const double *at, double *g) const {
    gmm_gradient(d, k, n, at, g, means(at), means(g), factors(at), factors(g), points.data(),
                 Prior);
  }

private:
  static constexpr Wishart Prior = {1.0, 1};

  template <typename T> T *means(T *at) const { return at + k; }
  template <typename T> T *factors(T *at) const { return at + k + k * d; }

  const int d, k, n;

public:
  std::vector<double> x;

private:
  const std::vector<double> points;
};

} // namespace

int main(int count, char **arguments) { return serve<Mixture>(count, arguments); }
