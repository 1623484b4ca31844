//===- matmul.cpp - Products of matrices ----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of squares of a product, with the loops in the order ijk (each entry is an inner
// product) or ikj (rows are added), on pointers that promise not to overlap. Variables are
// both matrices. By hand both products of the gradient add rows, for which one of the
// matrices is transposed.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

template <typename Real> Real squares(const Real *c, int count) {
  Real sum = 0.0;
  for (int i = 0; i < count; i++)
    sum += c[i] * c[i];
  return sum;
}

template <typename Real>
Real productIJK(const Real *__restrict a, const Real *__restrict b, Real *__restrict c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      Real sum = 0.0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  return squares(c, n * n);
}

template <typename Real>
Real productIKJ(const Real *__restrict a, const Real *__restrict b, Real *__restrict c, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      c[i * n + j] = 0.0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
  return squares(c, n * n);
}

enum Order { IJK, IKJ };

class Product {
public:
  static constexpr const char *Name = "matmul";
  static constexpr Size Sizes[] = {{"ijk-6", 6, IJK},     {"ikj-6", 6, IKJ},
                                   {"ijk-100", 100, IJK}, {"ikj-100", 100, IKJ},
                                   {"ijk-200", 200, IJK}, {"ikj-200", 200, IKJ}};

  explicit Product(const Size &size)
      : n(size.a), order(Order(size.b)), x(numbers(2 * n * n, 1, -1, 1)), c(n * n), dc(n * n) {}

  template <typename Real> Real value(const Real *at) const {
    std::vector<Real> result(n * n);
    return product(at, result.data());
  }
  double evaluate(const double *at) const { return product(at, c.data()); }

  void derive(double *g) const {
    const double *a = x.data(), *b = a + n * n;
    std::fill(dc.begin(), dc.end(), 0.0);
    if (order == IJK)
      __enzyme_autodiff<void>((void *)productIJK<double>, enzyme_dup, a, g, enzyme_dup, b,
                              g + n * n, enzyme_dupnoneed, c.data(), dc.data(), enzyme_const, n);
    else
      __enzyme_autodiff<void>((void *)productIKJ<double>, enzyme_dup, a, g, enzyme_dup, b,
                              g + n * n, enzyme_dupnoneed, c.data(), dc.data(), enzyme_const, n);
  }

  void byHand(const double *at, double *g) const {
    const double *a = at, *b = at + n * n;
    std::vector<double> row(n), flipped(n * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        flipped[j * n + i] = b[i * n + j];
    for (int i = 0; i < n; i++) {
      // A row of the product, and at once all that depends on its adjoint.
      std::fill(row.begin(), row.end(), 0.0);
      for (int k = 0; k < n; k++)
        add(2 * a[i * n + k], b + k * n, row.data());
      for (int j = 0; j < n; j++)
        add(row[j], &flipped[j * n], g + i * n);
      for (int k = 0; k < n; k++)
        add(a[i * n + k], row.data(), g + n * n + k * n);
    }
  }

private:
  template <typename Real> Real product(const Real *at, Real *result) const {
    return order == IJK ? productIJK(at, at + n * n, result, n)
                        : productIKJ(at, at + n * n, result, n);
  }

  void add(double factor, const double *__restrict from, double *__restrict to) const {
    for (int i = 0; i < n; i++)
      to[i] += factor * from[i];
  }

  const int n;
  const Order order;

public:
  std::vector<double> x;

private:
  mutable std::vector<double> c, dc;
};

} // namespace

int main(int count, char **arguments) { return serve<Product>(count, arguments); }
