//===- jacobian.hpp - All derivatives of all results -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_JACOBIAN_HPP
#define ISOZYME_CXX_JACOBIAN_HPP

#include <isozyme/cxx/tangent.hpp>

namespace isozyme {

/// A dense matrix, row after row.
template <typename T> struct matrix {
  std::size_t rows = 0;    ///< How many rows there are.
  std::size_t columns = 0; ///< How many columns there are.
  std::vector<T> data;     ///< rows * columns numbers, row after row.

  /// No rows, no columns.
  matrix() = default;
  /// Zeros in this shape.
  matrix(std::size_t rows, std::size_t columns)
      : rows(rows), columns(columns), data(rows * columns) {}
  /// One entry, counted from 0; not checked.
  T &operator()(std::size_t row, std::size_t column) { return data[row * columns + column]; }
  /// One entry, counted from 0; not checked.
  const T &operator()(std::size_t row, std::size_t column) const {
    return data[row * columns + column];
  }
};

/// A std::array, std::vector or std::span of numbers.
template <typename X>
concept number_list = requires(std::remove_cvref_t<X> &x) {
  { x.size() } -> std::convertible_to<std::size_t>;
  { x[0] } -> number;
} && differentiable<X>;

namespace detail {

template <typename F> struct jacobian_of {
  F f;

  /// \p x lists the variables; the other arguments are constants.
  template <number_list X, inert... Rest>
  [[gnu::always_inline]] auto operator()(X &&x, Rest &&...rest) const {
    using T = std::remove_cvref_t<decltype(x[0])>;
    using R = std::invoke_result_t<const F &, given_t<X>, given_t<Rest>...>;
    static_assert(number_list<R>, "a Jacobian is that of a function that returns a list of numbers; "
                                  "for a number there is isozyme::grad");
    if constexpr (number_list<R>)
      return columns<T>(x, rest...);
    else
      return matrix<T>();
  }

private:
  template <typename T, typename X, typename... Rest>
  [[gnu::always_inline]] matrix<T> columns(X &x, Rest &...rest) const {
    auto v = zero_like(x);
    matrix<T> all;
    for (std::size_t column = 0; column < x.size(); ++column) {
      v[column] = 1;
      auto [value, tangent] = jvp(f, at(x, rest...), along(v));
      v[column] = 0;
      if (column == 0)
        all = matrix<T>(std::size(tangent), x.size());
      for (std::size_t row = 0; row < all.rows; ++row)
        all(row, column) = tangent[row];
    }
    return all;
  }
};

} // namespace detail

/// The Jacobian of \p f, which returns a list of numbers, by its first argument, a list
/// of numbers. Costs one jvp for each of them.
template <typename F>
[[gnu::always_inline]] constexpr detail::jacobian_of<detail::kept<F>> jacobian(F &&f) {
  return {std::forward<F>(f)};
}

} // namespace isozyme

#endif
