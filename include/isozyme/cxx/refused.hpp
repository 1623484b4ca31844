//===- refused.hpp - Names of isozyme.hpp before C++20 -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isozyme.hpp has said that it is C++20. So that this is the only error, its names exist:
// they take anything, and give something that can be used as anything.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_REFUSED_HPP
#define ISOZYME_CXX_REFUSED_HPP

#if __cplusplus >= 201103L
#include <array>
#include <tuple>
#include <vector>

namespace isozyme {

/// Stands for every result: a number, a list, a function.
struct refused {
  operator double() const;
  template <typename T, decltype(sizeof(int T::*)) = 0> operator T() const;
  template <typename T> refused operator[](const T &) const;
  template <typename... T> refused operator()(T &&...) const;
};
/// Results that are taken apart.
struct refused_pair {
  refused value, other;
};
struct refused_call {
  template <typename... T> refused_pair operator()(T &&...) const;
};
/// A matrix, whose size is asked for.
struct refused_matrix : refused {
  unsigned long rows, columns;
};
struct refused_matrix_call {
  template <typename... T> refused_matrix operator()(T &&...) const;
};
template <typename T> using matrix = refused_matrix;

template <typename... T> refused grad(T &&...);
template <typename... T> refused hvp(T &&...);
template <typename... T> refused constant(T &&...);
template <typename... T> refused at(T &&...);
template <typename... T> refused along(T &&...);
template <typename... T> refused_call value_and_grad(T &&...);
template <typename... T> refused_call vjp(T &&...);
template <typename... T> refused_pair jvp(T &&...);
template <typename... T> refused_matrix_call jacobian(T &&...);
template <typename... T> refused_matrix_call hessian(T &&...);
template <typename... T> refused sparsity(T &&...);
template <typename... T> refused sparse_jacobian(T &&...);
template <typename... T> refused sparse_hessian(T &&...);
template <typename... T> refused sparse_lower_hessian(T &&...);

} // namespace isozyme
#endif

#endif
