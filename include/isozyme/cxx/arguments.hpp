//===- arguments.hpp - What a function is differentiated by ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts the arguments of a function into differentiable ones and constants, and
// makes the memory that derivatives are accumulated in.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_ARGUMENTS_HPP
#define ISOZYME_CXX_ARGUMENTS_HPP

#include <array>
#include <concepts>
#include <enzyme/enzyme>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace isozyme {

/// An argument that is held constant although its type could be differentiated.
template <typename T> struct constant_argument {
  T &value; ///< The argument itself.
};

/// Holds \p x constant: `grad(f)(a, constant(b))` is the gradient by a alone.
/// \p x must live until the call is over.
template <typename T> [[gnu::always_inline]] constexpr constant_argument<T> constant(T &x) {
  return {x};
}
/// Likewise for a temporary, which lives until the end of the full expression.
template <typename T>
[[gnu::always_inline]] constexpr constant_argument<const T> constant(const T &&x) {
  return {x};
}

namespace detail {
template <typename T> struct kind {
  static constexpr bool is_array = false, is_vector = false, is_span = false;
};
template <typename T, std::size_t N> struct kind<std::array<T, N>> {
  static constexpr bool is_array = true, is_vector = false, is_span = false;
  using element = T;
};
template <typename T, typename A> struct kind<std::vector<T, A>> {
  static constexpr bool is_array = false, is_vector = true, is_span = false;
  using element = T;
};
template <typename T, std::size_t N> struct kind<std::span<T, N>> {
  static constexpr bool is_array = false, is_vector = false, is_span = true;
  using element = std::remove_const_t<T>;
};

template <typename T> inline constexpr bool is_held_constant = false;
template <typename T> inline constexpr bool is_held_constant<constant_argument<T>> = true;

template <typename T> constexpr bool is_differentiable() {
  using k = kind<T>;
  if constexpr (k::is_array || k::is_vector || k::is_span)
    return is_differentiable<typename k::element>();
  else
    return std::floating_point<T> ||
           (std::is_class_v<T> && std::is_aggregate_v<T> && std::is_trivially_copyable_v<T> &&
            !is_held_constant<T>);
}
} // namespace detail

/// float, double or long double.
template <typename T>
concept number = std::floating_point<std::remove_cvref_t<T>>;

/// A number, or a std::array, std::vector or std::span of differentiable values, or a
/// plain aggregate: a struct of numbers without pointers or constructors.
template <typename T>
concept differentiable = detail::is_differentiable<std::remove_cvref_t<T>>();

/// What takes no part: integers, enumerations, text, and what isozyme::constant holds.
template <typename T>
concept inert = std::integral<std::remove_cvref_t<T>> || std::is_enum_v<std::remove_cvref_t<T>> ||
                std::convertible_to<T, std::string_view> ||
                detail::is_held_constant<std::remove_cvref_t<T>>;

/// Anything else has no derivative that Isozyme could return: wrap it in
/// isozyme::constant, or take it apart.
template <typename T>
concept argument = differentiable<T> || inert<T>;

namespace detail {

template <typename T> [[gnu::always_inline]] inline auto zero_like(const T &x);

template <typename T> [[gnu::always_inline]] inline auto zeros_like_elements(const T &x) {
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
template <typename T> [[gnu::always_inline]] inline auto zero_like(const T &x) {
  if constexpr (kind<T>::is_vector || kind<T>::is_span) {
    return zeros_like_elements(x);
  } else if constexpr (kind<T>::is_array && !std::is_trivially_copyable_v<T>) {
    std::array<decltype(zero_like(x[0])), std::tuple_size_v<T>> all;
    for (std::size_t i = 0; i < x.size(); ++i)
      all[i] = zero_like(x[i]);
    return all;
  } else {
    std::remove_cv_t<T> zero;
    __builtin_memset(static_cast<void *>(&zero), 0, sizeof zero);
    return zero;
  }
}

/// The derivative by a T has this type.
template <typename T> using derivative_t = decltype(zero_like(std::declval<const T &>()));

/// An argument with the memory that its derivative is accumulated in. Numbers need
/// none: their derivative is returned.
template <typename X> struct slot {
  using type = std::remove_reference_t<X>;
  using derivative = derivative_t<std::remove_cv_t<type>>;
  type &x;
  derivative shadow;
  [[gnu::always_inline]] explicit slot(type &x) : x(x), shadow(zero_like(x)) {}

  [[gnu::always_inline]] auto annotated() {
    if constexpr (kind<std::remove_cv_t<type>>::is_span)
      return enzyme::Duplicated<std::remove_cv_t<type>>(x, std::remove_cv_t<type>(shadow));
    else
      return enzyme::Duplicated<type &>(x, const_cast<type &>(shadow));
  }
  template <typename Returned>
  [[gnu::always_inline]] std::tuple<derivative> gradient(Returned &) {
    return {std::move(shadow)};
  }
};
template <number X> struct slot<X> {
  using type = std::remove_cvref_t<X>;
  using derivative = type;
  type x;
  [[gnu::always_inline]] explicit slot(type x) : x(x) {}
  [[gnu::always_inline]] enzyme::Active<type> annotated() { return {x}; }
  template <typename Returned>
  [[gnu::always_inline]] std::tuple<type> gradient(Returned &returned) {
    return {returned};
  }
};
/// A constant: small ones by value, others where they are.
template <typename T> struct constant_slot {
  T &x;
  [[gnu::always_inline]] auto annotated() {
    if constexpr (std::is_scalar_v<T>)
      return enzyme::Const<std::remove_cv_t<T>>(x);
    else
      return enzyme::Const<T &>(x);
  }
  template <typename Returned> [[gnu::always_inline]] std::tuple<> gradient(Returned &) {
    return {};
  }
};
template <inert X> struct slot<X> : constant_slot<std::remove_reference_t<X>> {
  [[gnu::always_inline]] explicit slot(std::remove_reference_t<X> &x)
      : constant_slot<std::remove_reference_t<X>>{x} {}
};
template <typename T> struct slot<constant_argument<T>> : constant_slot<T> {
  [[gnu::always_inline]] explicit slot(constant_argument<T> c) : constant_slot<T>{c.value} {}
};
template <typename T> struct slot<constant_argument<T> &> : slot<constant_argument<T>> {
  using slot<constant_argument<T>>::slot;
};
template <typename T> struct slot<const constant_argument<T> &> : slot<constant_argument<T>> {
  using slot<constant_argument<T>>::slot;
};

/// As what a constant reaches the function: what isozyme::constant holds, or itself.
template <typename X> struct held {
  using type = X;
};
template <typename T> struct held<constant_argument<T>> {
  using type = std::conditional_t<std::is_scalar_v<T>, std::remove_cv_t<T>, T &>;
};
template <typename X> using held_t = typename held<std::remove_cvref_t<X>>::type;
/// An argument of \ref at: itself, as an lvalue, unless it is such a constant.
template <typename X> struct given {
  using type = std::remove_reference_t<X> &;
};
template <typename X>
  requires(!std::same_as<held_t<X>, std::remove_cvref_t<X>>)
struct given<X> {
  using type = held_t<X> &;
};
template <typename X> using given_t = typename given<X>::type;

template <typename X> [[gnu::always_inline]] inline auto annotated_constant(X &x) {
  if constexpr (std::same_as<held_t<X>, std::remove_cv_t<X>>)
    return constant_slot<X>{x}.annotated();
  else
    return constant_slot<std::remove_reference_t<decltype(x.value)>>{x.value}.annotated();
}

/// A tuple of one is written as its member.
template <typename... T>
[[gnu::always_inline]] inline auto unwrap_single(std::tuple<T...> &&all) {
  if constexpr (sizeof...(T) == 1)
    return std::get<0>(std::move(all));
  else
    return std::move(all);
}

/// A function as it is kept: a pointer, or a copy of the object.
template <typename F> using kept = std::decay_t<F>;

} // namespace detail

} // namespace isozyme

#endif
