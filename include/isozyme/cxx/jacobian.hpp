//===- jacobian.hpp - All derivatives of all results -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_JACOBIAN_HPP
#define ISOZYME_CXX_JACOBIAN_HPP

#include <algorithm>
#include <isozyme/cxx/lanes.hpp>
#include <isozyme/cxx/pullback.hpp>

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

/// How the columns or rows of a Jacobian are computed.
enum class mode {
  cheapest, ///< As costs less: see isozyme::jacobian.
  forward,  ///< Columns, several of them in one run.
  reverse   ///< Rows: one run, then a sweep for each of them.
};

namespace detail {

/// What derivatives cost, in runs of the function: estimates, the same for all functions.
struct jacobian_costs {
  static constexpr double run = 1, lane = 0.5, tape = 2, sweep = 1.5;

  static constexpr double forward(std::size_t columns, std::size_t width) {
    return double((columns + width - 1) / width) * (run + lane * double(width));
  }
  static constexpr double reverse(std::size_t rows) { return tape + sweep * double(rows); }
};

template <typename F, mode Way> struct jacobian_of {
  F f;

  /// \p x lists the variables; the other arguments are constants.
  template <typename X, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] auto operator()(X &&x, Rest &&...rest) const {
    if constexpr (!check_list<X, Rest...>())
      return no_derivative{};
    else if constexpr (!check_result<X, Rest...>())
      return no_derivative{};
    else
      return entries(x, rest...);
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

  template <typename X, typename... Rest> struct types {
    using result =
        std::remove_cvref_t<std::invoke_result_t<const F &, given_t<X>, given_t<Rest>...>>;
    using matrix = dense_t<std::remove_cvref_t<decltype(nth(std::declval<X &>(), 0))>, result,
                           std::remove_cv_t<X>>;
    static constexpr int rows = kind<result>::size, columns = kind<std::remove_cv_t<X>>::size;
    static constexpr std::size_t width = lanes_for(columns);
  };

  /// What is known when the program is compiled decides there: then the other way is not compiled.
  /// The address of a plain function is in memory while there is a tape. All functions of its type
  /// may be meant then, and one that has no derivative would be an error.
  template <typename T> static constexpr mode way() {
    if constexpr (Way == mode::cheapest && enzyme::detail::is_function<F>)
      return mode::forward;
    else if constexpr (Way != mode::cheapest || T::rows < 0 || T::columns < 0)
      return Way;
    else
      return jacobian_costs::reverse(T::rows) < jacobian_costs::forward(T::columns, T::width)
                 ? mode::reverse
                 : mode::forward;
  }

  template <typename X, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] auto entries(X &x, Rest &...rest) const {
    using T = types<X, Rest...>;
    typename T::matrix all;
    if constexpr (way<T>() == mode::reverse)
      by_rows(all, x, rest...);
    else
      by_columns<way<T>()>(all, x, rest...);
    return all;
  }

  /// The first columns say how many rows there are: the rest is computed as costs less.
  template <mode Then, typename M, typename X, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] void by_columns(M &all, X &x,
                                                                      Rest &...rest) const {
    constexpr std::size_t width = types<X, Rest...>::width;
    directions<X, width> d(x);
    for (std::size_t first = 0; first < count(x); first += width) {
      const std::size_t used = std::min(width, count(x) - first);
      if constexpr (Then == mode::cheapest)
        if (first == width && jacobian_costs::reverse(rows_of(all)) <
                                  jacobian_costs::forward(count(x) - first, width))
          return by_rows(all, x, rest...);
      for (std::size_t lane = 0; lane < used; ++lane)
        nth(d.along[lane], first + lane) = 1;
      run_lanes(
          f, d,
          [&](const auto &, const auto &tangent, std::size_t lane) {
            if (first + lane == 0)
              all = zeros<M>(std::size(tangent), count(x));
            if (lane < used)
              for (std::size_t row = 0; row < count(tangent); ++row)
                all(row, first + lane) = nth(tangent, row);
          },
          rest...);
      for (std::size_t lane = 0; lane < used; ++lane)
        nth(d.along[lane], first + lane) = 0;
    }
  }

  template <typename M, typename X, typename... Rest>
  void by_rows(M &all, X &x, Rest &...rest) const {
    auto [value, pullback] = vjp_of<F>{f}(x, rest...);
    all = zeros<M>(count(value), count(x));
    auto seed = zero_like(value);
    for (std::size_t row = 0; row < count(value); ++row) {
      nth(seed, row) = 1;
      auto gradient = pullback(seed);
      nth(seed, row) = 0;
      for (std::size_t column = 0; column < count(x); ++column)
        all(row, column) = nth(gradient, column);
    }
  }

  template <typename M> static std::size_t rows_of(const M &all) {
    if constexpr (kind<M>::is_matrix)
      return static_cast<std::size_t>(all.rows());
    else
      return all.rows;
  }
};

} // namespace detail

/// The Jacobian of \p f, which returns a list of numbers, by its first argument, a list
/// of numbers. Costs a run with four derivatives for every four columns (mode::forward), or a
/// run with a tape and a reverse sweep for each row (mode::reverse). mode::cheapest takes what
/// is less; for it, rows are considered for function objects, such as lambdas, only.
template <mode Way = mode::forward, typename F>
[[gnu::always_inline,
  gnu::no_instrument_function]] constexpr detail::jacobian_of<detail::kept<F>, Way>
jacobian(F &&f) {
  return {std::forward<F>(f)};
}

/// Not to be called: says how it is done.
template <mode Way = mode::forward, typename F, typename X, typename... More>
constexpr detail::no_derivative jacobian(F &&, X &&, More &&...) {
  return detail::wants_function_alone<F>();
}

} // namespace isozyme

#endif
