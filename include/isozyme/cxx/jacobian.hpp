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

namespace detail {

template <typename F> struct jacobian_of {
  F f;

  /// \p x lists the variables; the other arguments are constants.
  template <typename X, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] auto operator()(X &&x, Rest &&...rest) const {
    if constexpr (!check_list<X, Rest...>())
      return no_derivative{};
    else if constexpr (!check_result<X, Rest...>())
      return no_derivative{};
    else
      return columns(x, rest...);
  }

private:
  template <typename X, typename... Rest> static constexpr bool check_result() {
    constexpr bool is_callable = std::is_invocable_v<const F &, given_t<X>, given_t<Rest>...>;
    static_assert(is_callable, "the function cannot be called with these arguments: their number "
                               "or their types differ from its parameters");
    if constexpr (is_callable) {
      using R = std::invoke_result_t<const F &, given_t<X>, given_t<Rest>...>;
      static_assert(!number<R>, "a Jacobian is that of a function that returns a list of numbers; "
                                "for a number there is isozyme::grad");
      if constexpr (number<R>) {
        return false;
      } else if constexpr (check_value<std::remove_cvref_t<R>>()) {
        static_assert(number_list<R>, "a Jacobian is that of a function that returns a list of "
                                      "numbers; for others there is isozyme::jvp");
        return number_list<R>;
      } else {
        return false;
      }
    } else {
      return false;
    }
  }

  template <typename X, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] auto columns(X &x, Rest &...rest) const {
    using R = std::remove_cvref_t<std::invoke_result_t<const F &, given_t<X>, given_t<Rest>...>>;
    using M = dense_t<std::remove_cvref_t<decltype(nth(x, 0))>, R, std::remove_cv_t<X>>;
    auto v = zero_like(x);
    M all;
    for (std::size_t column = 0; column < count(x); ++column) {
      nth(v, column) = 1;
      auto [value, tangent] = jvp(f, at(x, rest...), along(v));
      nth(v, column) = 0;
      std::size_t rows = std::size(tangent);
      if (column == 0)
        all = zeros<M>(rows, count(x));
      for (std::size_t row = 0; row < rows; ++row)
        all(row, column) = nth(tangent, row);
    }
    return all;
  }
};

} // namespace detail

/// The Jacobian of \p f, which returns a list of numbers, by its first argument, a list
/// of numbers. Costs one jvp for each of them.
template <typename F>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr detail::jacobian_of<detail::kept<F>>
jacobian(F &&f) {
  return {std::forward<F>(f)};
}

} // namespace isozyme

#endif
