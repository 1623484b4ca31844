//===- cg.cpp - Iterations of conjugate gradients -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed number of iterations for a five-point operator on a square, whose conductivities
// are variables, as is the right-hand side; the result is the sum of squares of the iterate.
// By hand: the adjoint of each iteration, with the residuals and directions of all of them.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

using Vector = std::vector<double>;

class ConjugateGradients {
public:
  static constexpr const char *Name = "cg";
  static constexpr Size Sizes[] = {{"4-3", 4, 3}, {"32-40", 32, 40}, {"128-40", 128, 40}};

  explicit ConjugateGradients(const Size &size)
      : side(size.a), iterations(size.b), points(side * side), x(numbers(3 * points, 1, 0.5, 1.5)) {
  }

  /// Variables: conductivity to the right, conductivity downwards, right-hand side.
  template <typename Real> Real value(const Real *at) const {
    std::vector<Real> solution(points, Real(0.0)), rest(at + 2 * points, at + 3 * points),
        along = rest, product(points);
    Real square = inner(rest.data(), rest.data());
    for (int k = 0; k < iterations; k++) {
      apply(at, along.data(), product.data());
      const Real length = square / inner(along.data(), product.data());
      for (int i = 0; i < points; i++) {
        solution[i] += length * along[i];
        rest[i] -= length * product[i];
      }
      const Real next = inner(rest.data(), rest.data()), turn = next / square;
      for (int i = 0; i < points; i++)
        along[i] = rest[i] + turn * along[i];
      square = next;
    }
    return inner(solution.data(), solution.data());
  }

  void byHand(const double *at, double *g) const {
    const std::size_t n = points;
    rests.resize((iterations + 1) * n);
    alongs.resize((iterations + 1) * n);
    products.resize(iterations * n);
    Vector solution(n), squares(iterations + 1), lengths(iterations);
    std::copy_n(at + 2 * n, n, rests.data());
    std::copy_n(at + 2 * n, n, alongs.data());
    squares[0] = dot(rests.data(), rests.data());
    for (int k = 0; k < iterations; k++) {
      const double *along = &alongs[k * n], *rest = &rests[k * n];
      double *product = &products[k * n], *nextRest = &rests[(k + 1) * n],
             *nextAlong = &alongs[(k + 1) * n];
      apply(at, along, product);
      lengths[k] = squares[k] / dot(along, product);
      for (std::size_t i = 0; i < n; i++) {
        solution[i] += lengths[k] * along[i];
        nextRest[i] = rest[i] - lengths[k] * product[i];
      }
      squares[k + 1] = dot(nextRest, nextRest);
      const double turn = squares[k + 1] / squares[k];
      for (std::size_t i = 0; i < n; i++)
        nextAlong[i] = nextRest[i] + turn * along[i];
    }
    Vector dSolution(n), dRest(n), dAlong(n), dProduct(n), back(n);
    double dSquare = 0;
    for (std::size_t i = 0; i < n; i++)
      dSolution[i] = 2 * solution[i];
    for (int k = iterations; k-- > 0;) {
      const double *along = &alongs[k * n], *product = &products[k * n],
                   *nextRest = &rests[(k + 1) * n];
      const double turn = squares[k + 1] / squares[k], dTurn = dot(dAlong.data(), along);
      const double dNext = dSquare + dTurn / squares[k];
      dSquare = -dTurn * turn / squares[k];
      double dLength = 0;
      for (std::size_t i = 0; i < n; i++) {
        dRest[i] += dAlong[i] + 2 * dNext * nextRest[i];
        dLength += dSolution[i] * along[i] - dRest[i] * product[i];
      }
      // length = square / curvature, with curvature = along . product
      const double curvature = squares[k] / lengths[k],
                   dCurvature = -dLength * lengths[k] / curvature;
      dSquare += dLength / curvature;
      for (std::size_t i = 0; i < n; i++)
        dProduct[i] = -lengths[k] * dRest[i] + dCurvature * along[i];
      apply(at, dProduct.data(), back.data()); // the operator is symmetric
      for (std::size_t i = 0; i < n; i++)
        dAlong[i] =
            turn * dAlong[i] + lengths[k] * dSolution[i] + dCurvature * product[i] + back[i];
      conductivities(along, dProduct.data(), g);
    }
    for (std::size_t i = 0; i < n; i++)
      g[2 * n + i] = dRest[i] + dAlong[i] + 2 * dSquare * at[2 * n + i];
  }

private:
  template <typename Real> Real inner(const Real *a, const Real *b) const {
    Real sum = 0.0;
    for (int i = 0; i < points; i++)
      sum += a[i] * b[i];
    return sum;
  }

  double dot(const double *a, const double *b) const {
    double sums[4] = {0, 0, 0, 0}; // numbers of points are multiples of four
    for (int i = 0; i < points; i += 4)
      for (int k = 0; k < 4; k++)
        sums[k] += a[i + k] * b[i + k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  template <typename Real> void apply(const Real *at, const Real *u, Real *out) const {
    const Real *right = at, *down = at + points;
    for (int i = 0; i < points; i++)
      out[i] = u[i];
    for (int y = 0; y < side; y++)
      for (int i = y * side; i + 1 < (y + 1) * side; i++) {
        const Real flux = right[i] * (u[i] - u[i + 1]);
        out[i] += flux;
        out[i + 1] -= flux;
      }
    for (int i = 0; i + side < points; i++) {
      const Real flux = down[i] * (u[i] - u[i + side]);
      out[i] += flux;
      out[i + side] -= flux;
    }
  }

  /// What adjoints d of apply(u) give to the conductivities.
  void conductivities(const double *u, const double *d, double *g) const {
    for (int y = 0; y < side; y++)
      for (int i = y * side; i + 1 < (y + 1) * side; i++)
        g[i] += (d[i] - d[i + 1]) * (u[i] - u[i + 1]);
    for (int i = 0; i + side < points; i++)
      g[points + i] += (d[i] - d[i + side]) * (u[i] - u[i + side]);
  }

  const int side, iterations, points;
  mutable Vector rests, alongs, products; ///< stay between calls

public:
  std::vector<double> x;
};

} // namespace

int main(int count, char **arguments) { return serve<ConjugateGradients>(count, arguments); }
