//===- sparse.cpp - Sparse Hessians and Jacobians --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Hessian of a chained Rosenbrock function and the Jacobian of a nonlinear
// Poisson problem on a square cost, for n, 4 n and 16 n variables: the pattern with its
// coloring, once, and each evaluation. All entries are compared with the exact ones.
// With --once N: patterns, colorings and twenty evaluations for N variables and no time measured,
// for a tool that counts instructions.
//
//===----------------------------------------------------------------------===//
#include "../harness/measure.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <isozyme/isozyme.hpp>

namespace {

using Vector = std::vector<double>;

double rosenbrock(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    sum += 100 * a * a + b * b;
  }
  return sum;
}

/// -u'' = exp(u) in a square of m by m points, u = 0 around it.
Vector poisson(std::span<const double> u) {
  const int m = static_cast<int>(std::lround(std::sqrt(double(u.size()))));
  const double h = 1.0 / (m + 1);
  Vector r(u.size());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const int at = i * m + j;
      double sum = 4 * u[at] - h * h * std::exp(u[at]);
      if (i > 0)
        sum -= u[at - m];
      if (i + 1 < m)
        sum -= u[at + m];
      if (j > 0)
        sum -= u[at - 1];
      if (j + 1 < m)
        sum -= u[at + 1];
      r[at] = sum;
    }
  return r;
}

double exactHessian(const Vector &x, int i, int j) {
  const int n = static_cast<int>(x.size());
  if (i != j)
    return -400 * x[std::min(i, j)];
  return (i + 1 < n ? 1200 * x[i] * x[i] - 400 * x[i + 1] + 2 : 0) + (i > 0 ? 200 : 0);
}
double exactJacobian(const Vector &u, int i, int j) {
  const double h = 1.0 / (std::lround(std::sqrt(double(u.size()))) + 1);
  return i == j ? 4 - h * h * std::exp(u[i]) : -1;
}

/// Seconds of the processor, which other programs do not lengthen; best of several.
template <typename F> double bestSeconds(F work, int calls) {
  double best = HUGE_VAL;
  for (int round = 0; round < 7; ++round) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < calls; ++i)
      work();
    best = std::min(best, double(std::clock() - begin) / CLOCKS_PER_SEC / calls);
  }
  return best;
}

struct Cost {
  double function, setup, evaluation;
};

/// Seconds for \p n variables; \p make finds pattern and coloring. Nothing is measured if \p once.
template <typename Function, typename Make>
void measure(const char *name, int n, Function function, Make make,
             double (*exact)(const Vector &, int, int), bool once, bool &good) {
  Vector x(n);
  for (int i = 0; i < n; ++i)
    x[i] = 1 + 0.3 * std::sin(i);
  const std::span<const double> point(x);
  auto matrix = make(point);
  Vector values(matrix.pattern().entries());
  matrix.evaluate(std::span(values), point);
  const std::vector<int> rows = matrix.pattern().row_indices();
  double wrong = 0;
  for (std::size_t e = 0; e < values.size(); ++e)
    wrong = std::max(wrong, std::fabs(values[e] - exact(x, rows[e], matrix.pattern().indices[e])));
  good &= wrong < 1e-9;
  if (once) {
    for (int i = 1; i < 20; ++i)
      matrix.evaluate(std::span(values), point);
    return;
  }

  const int calls = std::max(1, 1000000 / n);
  const Cost best{bestSeconds([&] { function(point); }, calls),
                  bestSeconds([&] { make(point); }, std::max(1, calls / 20)),
                  bestSeconds([&] { matrix.evaluate(std::span(values), point); }, calls / 4)};
  std::printf("%-10s %8d %9zu %7d %12.3f %12.3f %12.3f %10.1f   %.0e\n", name, n, values.size(),
              matrix.passes(), best.function * 1e3, best.setup * 1e3, best.evaluation * 1e3,
              best.evaluation / best.function, wrong);
}

/// Both programs, for \p n variables. False if an entry is wrong.
bool measureBoth(int n, bool once) {
  auto hessian = [](auto x) { return isozyme::sparse_lower_hessian(rosenbrock, x); };
  auto jacobian = [](auto x) { return isozyme::sparse_jacobian(poisson, x); };
  auto value = [](auto x) { use(rosenbrock(x)); };
  auto residual = [](auto x) { use(poisson(x)[0]); };
  bool good = true;
  measure("rosenbrock", n, value, hessian, exactHessian, once, good);
  measure("poisson", n, residual, jacobian, exactJacobian, once, good);
  return good;
}

} // namespace

int main(int count, char **arguments) {
  bool good = true;
  if (count > 2 && !std::strcmp(arguments[1], "--once")) {
    good = measureBoth(std::atoi(arguments[2]), true);
  } else {
    std::printf("%-10s %8s %9s %7s %12s %12s %12s %10s   %s\n", "program", "n", "entries", "passes",
                "function ms", "setup ms", "matrix ms", "matrix/f", "error");
    for (int n = 10000; n <= 160000; n *= 4)
      good &= measureBoth(n, false);
  }
  if (!good)
    std::fprintf(stderr, "an entry is wrong\n");
  return good ? 0 : 1;
}
