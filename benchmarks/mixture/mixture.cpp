//===- mixture.cpp - Gradient of the published mixture objective ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each size a line for Isozyme's gradient and one for the gradient by hand. The two
// are compared, number by number. With --limits the program fails where Isozyme's takes
// more memory than it may; it then measures no times.
//
//===----------------------------------------------------------------------===//
#include "objective.h"

#include "../memory.h"
#include "../timing.h"
#include <cstring>

namespace {

struct Size {
  int d, k, n;
  double mostMiB; ///< That a gradient may take.
};
constexpr Size Sizes[] = {
    {2, 5, 1000, 2}, {10, 25, 1000, 2}, {20, 50, 1000, 2}, {64, 25, 1000, 2}};
constexpr Wishart Prior = {1.0, 1};

/// Parameters, their derivatives, and the points, of one size.
class Problem {
public:
  explicit Problem(const Size &S)
      : S(S), triangle(S.d + S.d * (S.d - 1) / 2),
        parameters(numbers(S.k * (1 + S.d + triangle), 1, -0.5, 0.5)),
        derivatives(parameters.size()), points(numbers(S.n * S.d, 2, -1.5, 1.5)) {}

  double value() const {
    double err;
    gmm_objective(S.d, S.k, S.n, alphas(), means(), factors(), points.data(), Prior, &err);
    use(err);
    return err;
  }
  void gradient() {
    clear();
    double err, derr = 1;
    __enzyme_autodiff<void>((void *)gmm_objective, enzyme_const, S.d, enzyme_const, S.k,
                            enzyme_const, S.n, enzyme_dup, alphas(), d(alphas()), enzyme_dup,
                            means(), d(means()), enzyme_dup, factors(), d(factors()), enzyme_const,
                            points.data(), enzyme_const, Prior, enzyme_dup, &err, &derr);
    use(derivatives[0]);
  }
  void gradientByHand() {
    clear();
    gmm_gradient(S.d, S.k, S.n, alphas(), d(alphas()), means(), d(means()), factors(),
                 d(factors()), points.data(), Prior);
    use(derivatives[0]);
  }

  const Size S;
  const int triangle;
  std::vector<double> parameters, derivatives, points;

private:
  const double *alphas() const { return parameters.data(); }
  const double *means() const { return alphas() + S.k; }
  const double *factors() const { return means() + S.k * S.d; }
  double *d(const double *of) { return derivatives.data() + (of - parameters.data()); }
  void clear() { std::fill(derivatives.begin(), derivatives.end(), 0.0); }
};

/// How far \p a is from \p b, in times of the largest number.
double distance(const std::vector<double> &a, const std::vector<double> &b) {
  double most = 0, largest = 1e-300;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::fabs(a[i] - b[i]));
    largest = std::max(largest, std::fabs(b[i]));
  }
  return most / largest;
}

/// MiB that the gradient and the one by hand take.
struct Memory {
  explicit Memory(const Size &S) {
    Problem problem(S);
    gradient = memoryOf([&] { problem.gradient(); });
    byHand = memoryOf([&] { problem.gradientByHand(); });
  }
  double gradient, byHand;
};

int compare(Problem &problem) {
  problem.gradientByHand();
  const std::vector<double> byHand = problem.derivatives;
  problem.gradient();
  const double apart = distance(problem.derivatives, byHand);
  if (apart < 1e-11)
    return 0;
  std::printf("mixture    d=%d: %.1e from the gradient by hand\n", problem.S.d, apart);
  return 1;
}

template <typename F>
int measure(Problem &problem, const char *how, double memory, F derive) {
  char size[64];
  std::snprintf(size, sizeof size, "d=%d k=%d%s, %.1f MiB", problem.S.d, problem.S.k, how, memory);
  auto value = [&] { return problem.value(); };
  return report("mixture", size, value, derive, [&] {
    derive();
    return slopeError(value, problem.parameters, problem.derivatives);
  });
}

} // namespace

int main(int count, char **arguments) {
  const bool limits = count > 1 && !std::strcmp(arguments[1], "--limits");
  const std::vector<Memory> memory(std::begin(Sizes), std::end(Sizes));
  int status = 0, at = 0;
  for (const Size &S : Sizes) {
    const Memory &M = memory[at++];
    Problem problem(S);
    status |= compare(problem);
    if (limits) {
      std::printf("mixture    d=%-3d %8.1f MiB, may take %.0f\n", S.d, M.gradient, S.mostMiB);
      status |= M.gradient > S.mostMiB;
      continue;
    }
    status |= measure(problem, "", M.gradient, [&] { problem.gradient(); });
    status |= measure(problem, " by hand", M.byHand, [&] { problem.gradientByHand(); });
  }
  return status;
}
