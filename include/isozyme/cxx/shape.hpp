//===- shape.hpp - What a derivative looks like ------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derivative by an argument has the argument's shape: the same containers with the same
// sizes and keys, and zeros for the numbers to start with. Matrices and arrays of Eigen are
// known by name: nothing of Eigen is included here.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_SHAPE_HPP
#define ISOZYME_CXX_SHAPE_HPP

#include <isozyme/cxx/members.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace Eigen {
template <typename Scalar, int Rows, int Columns, int Options, int MostRows, int MostColumns>
class Matrix;
template <typename Scalar, int Rows, int Columns, int Options, int MostRows, int MostColumns>
class Array;
template <typename Derived> struct EigenBase;
} // namespace Eigen

namespace isozyme {

/// An argument that is held constant although its type could be differentiated.
template <typename T> struct constant_argument {
  T &value; ///< The argument itself.
};

/// A dense matrix, row after row.
template <typename T> struct matrix;

namespace detail {
struct any_kind {
  static constexpr bool is_array = false, is_vector = false, is_span = false;
  static constexpr bool is_matrix = false, is_map = false;
  static constexpr int size = -1; ///< Known when the program is compiled.
};
template <typename T> struct kind : any_kind {};
template <typename T, std::size_t N> struct kind<std::array<T, N>> : any_kind {
  static constexpr bool is_array = true;
  static constexpr int size = static_cast<int>(N);
  using element = T;
};
template <typename T, typename A> struct kind<std::vector<T, A>> : any_kind {
  static constexpr bool is_vector = true;
  using element = T;
};
template <typename T, std::size_t N> struct kind<std::span<T, N>> : any_kind {
  static constexpr bool is_span = true;
  using element = std::remove_const_t<T>;
};
/// Of Eigen: a matrix, vector or array that has its own memory.
template <typename T, int R, int C> struct matrix_kind : any_kind {
  static constexpr bool is_matrix = true;
  static constexpr int size = R < 0 || C < 0 ? -1 : R * C;
  using element = T;
};
template <typename T, int R, int C, int O, int MR, int MC>
struct kind<Eigen::Matrix<T, R, C, O, MR, MC>> : matrix_kind<T, R, C> {};
template <typename T, int R, int C, int O, int MR, int MC>
struct kind<Eigen::Array<T, R, C, O, MR, MC>> : matrix_kind<T, R, C> {};
/// std::map, and what has the same interface.
template <typename T>
  requires requires(T &x) {
    typename T::key_compare;
    typename T::mapped_type;
    x.begin()->second;
  }
struct kind<T> : any_kind {
  static constexpr bool is_map = true;
  using element = typename T::mapped_type;
};

/// Of Eigen, but an expression, a map or a block of something else.
template <typename T> constexpr bool is_expression() {
  if constexpr (std::is_class_v<T> && !kind<T>::is_matrix)
    return std::is_base_of_v<Eigen::EigenBase<T>, T>;
  else
    return false;
}

template <typename T> inline constexpr bool is_held_constant = false;
template <typename T> inline constexpr bool is_held_constant<constant_argument<T>> = true;

template <typename T> constexpr bool is_differentiable();

/// What a member of a struct may be beside numbers: integers, text, and lists of these, which the
/// derivative has a copy of. (A copy of a pointer would lead to the argument's own numbers.)
template <typename T> constexpr bool is_kept() {
  using k = kind<T>;
  if constexpr (k::is_array || k::is_vector || k::is_map)
    return is_kept<typename k::element>();
  else
    return std::integral<T> || std::is_enum_v<T> ||
           (std::convertible_to<T, std::string_view> && !std::is_pointer_v<T>);
}

/// What a member is, or is an array of.
template <typename M> using base_t = std::remove_cv_t<std::remove_all_extents_t<M>>;

/// Is each member differentiable or kept, and one of them differentiable?
template <typename Members> inline constexpr bool can_take_apart = false;
template <typename... M>
inline constexpr bool can_take_apart<std::tuple<M &...>> =
    ((!kind<base_t<M>>::is_span && (is_differentiable<base_t<M>>() || is_kept<base_t<M>>())) &&
     ...) &&
    (is_differentiable<base_t<M>>() || ...);

/// A struct that has to be treated member by member.
template <typename T> constexpr bool is_compound() {
  using D = std::remove_const_t<T>;
  if constexpr (!std::is_class_v<D> || std::is_trivially_copyable_v<D> || is_held_constant<D> ||
                kind<D>::is_array || kind<D>::is_vector || kind<D>::is_span || kind<D>::is_map ||
                kind<D>::is_matrix || is_expression<D>())
    return false;
  else
    return can_take_apart<decltype(members(std::declval<D &>()))>;
}

template <typename T> constexpr bool is_differentiable() {
  using k = kind<T>;
  if constexpr (k::is_array || k::is_vector || k::is_span)
    return is_differentiable<typename k::element>();
  else if constexpr (k::is_map)
    return is_differentiable<typename k::element>() && !kind<typename k::element>::is_span;
  else if constexpr (k::is_matrix)
    return std::floating_point<typename k::element>;
  else
    return std::floating_point<T> ||
           (std::is_class_v<T> && std::is_aggregate_v<T> && std::is_trivially_copyable_v<T> &&
            !is_held_constant<T>) ||
           is_compound<T>();
}

template <typename T> constexpr bool is_number_list() {
  using k = kind<T>;
  if constexpr (k::is_array || k::is_vector || k::is_span || k::is_matrix)
    return std::floating_point<typename k::element>;
  else
    return false;
}
} // namespace detail

/// float, double or long double.
template <typename T>
concept number = std::floating_point<std::remove_cvref_t<T>>;

/// A number, or a std::array, std::vector, std::span or std::map of differentiable values, a
/// matrix, vector or array of Eigen, or an aggregate: a struct of such without pointers or
/// constructors, which may hold integers and text, too.
template <typename T>
concept differentiable = detail::is_differentiable<std::remove_cvref_t<T>>();

/// A std::array, std::vector or std::span of numbers, or a matrix, vector or array of Eigen,
/// whose numbers count in the order in which they are stored.
template <typename X>
concept number_list = detail::is_number_list<std::remove_cvref_t<X>>();

namespace detail {

template <typename T>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto zero_like(const T &x);
template <typename T> void clear(T &x);

template <typename T>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto zeros_like_elements(const T &x) {
  using zero = decltype(zero_like(*x.begin()));
  if constexpr (number<zero>) {
    return std::vector<zero>(x.size());
  } else {
    std::vector<zero> all;
    all.reserve(x.size());
    for (const auto &element : x)
      all.push_back(zero_like(element));
    return all;
  }
}

/// The shape of \p x with zeros for numbers. A span becomes a vector.
template <typename T>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto zero_like(const T &x) {
  if constexpr (kind<T>::is_vector || kind<T>::is_span) {
    return zeros_like_elements(x);
  } else if constexpr (kind<T>::is_array && !std::is_trivially_copyable_v<T>) {
    std::array<decltype(zero_like(x[0])), std::tuple_size_v<T>> all;
    for (std::size_t i = 0; i < x.size(); ++i)
      all[i] = zero_like(x[i]);
    return all;
  } else if constexpr (kind<T>::is_matrix || kind<T>::is_map || is_compound<T>()) {
    std::remove_cv_t<T> zero = x; // A map's copy has the same nodes in the same places.
    clear(zero);
    return zero;
  } else {
    std::remove_cv_t<T> zero;
    __builtin_memset(static_cast<void *>(&zero), 0, sizeof zero);
    return zero;
  }
}

/// The derivative by a T has this type.
template <typename T> using adjoint_t = decltype(zero_like(std::declval<const T &>()));

/// The same for a member of a struct, of which the rest is kept.
template <typename T> void clear_numbers(T &member) {
  if constexpr (std::is_array_v<T>)
    for (auto &element : member)
      clear_numbers(element);
  else if constexpr (is_differentiable<T>())
    clear(member);
}

/// Zeros, in the memory that is there.
template <typename T> void clear(T &x) {
  if constexpr (kind<T>::is_vector || (kind<T>::is_array && !std::is_trivially_copyable_v<T>))
    for (auto &element : x)
      clear(element);
  else if constexpr (kind<T>::is_map)
    for (auto &element : x)
      clear(element.second);
  else if constexpr (kind<T>::is_matrix)
    x.setZero();
  else if constexpr (is_compound<T>())
    std::apply([](auto &...member) { (clear_numbers(member), ...); }, members(x));
  else
    x = zero_like(x);
}

/// One of the numbers of a list.
template <typename X>
[[gnu::always_inline, gnu::no_instrument_function]] inline decltype(auto) nth(X &x, std::size_t i) {
  if constexpr (kind<std::remove_const_t<X>>::is_matrix)
    return (x.data()[i]);
  else
    return (x[i]);
}
template <typename X>
[[gnu::always_inline, gnu::no_instrument_function]] inline std::size_t count(const X &x) {
  return static_cast<std::size_t>(x.size());
}

/// Says what is wrong with a call, and ends the program.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_use(const char *what) {
  std::fprintf(stderr, "isozyme: %s\n", what);
  std::abort();
}

template <typename T, typename D> bool has_shape(const T &x, const D &d);

template <typename T, typename D> bool has_shape_of_numbers(const T &x, const D &d) {
  bool fits = true;
  if constexpr (std::is_array_v<T>)
    for (std::size_t i = 0; fits && i < std::size(x); ++i)
      fits = has_shape_of_numbers(x[i], d[i]);
  else if constexpr (is_differentiable<T>())
    fits = has_shape(x, d);
  return fits;
}

/// Has \p d, a direction or a seed, the shape of \p x?
template <typename T, typename D> bool has_shape(const T &x, const D &d) {
  if constexpr (kind<T>::is_matrix) {
    return x.rows() == d.rows() && x.cols() == d.cols();
  } else if constexpr (kind<T>::is_vector || kind<T>::is_span) {
    bool fits = x.size() == d.size();
    if constexpr (!std::floating_point<typename kind<T>::element>)
      for (std::size_t i = 0; fits && i < x.size(); ++i)
        fits = has_shape(x[i], d[i]);
    return fits;
  } else if constexpr (kind<T>::is_map) {
    auto of = d.begin();
    bool fits = x.size() == d.size();
    for (auto at = x.begin(); fits && at != x.end(); ++at, ++of)
      fits = at->first == of->first && has_shape(at->second, of->second);
    return fits;
  } else if constexpr (is_compound<T>()) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto mine = members(x);
      auto theirs = members(d);
      return (has_shape_of_numbers(std::get<I>(mine), std::get<I>(theirs)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(members(x))>>());
  } else {
    return true;
  }
}

template <bool Fits> struct dense {
  template <typename T, typename Result, typename X> using type = matrix<T>;
};
template <> struct dense<true> {
  static constexpr int options(int rows, int columns) { return rows == 1 && columns != 1; }
  template <typename T, typename Result, typename X>
  using type =
      Eigen::Matrix<T, kind<Result>::size, kind<X>::size,
                    options(kind<Result>::size, kind<X>::size), kind<Result>::size, kind<X>::size>;
};
/// A matrix with a row for each number of Result, and a column for each of X: one of Eigen if
/// these are.
template <typename T, typename Result, typename X>
using dense_t =
    typename dense<kind<Result>::is_matrix || kind<X>::is_matrix>::template type<T, Result, X>;

template <typename M>
[[gnu::always_inline, gnu::no_instrument_function]] inline M zeros(std::size_t rows,
                                                                   std::size_t columns) {
  if constexpr (kind<M>::is_matrix)
    return M::Zero(static_cast<std::ptrdiff_t>(rows), static_cast<std::ptrdiff_t>(columns));
  else
    return M(rows, columns);
}

} // namespace detail

} // namespace isozyme

#endif
