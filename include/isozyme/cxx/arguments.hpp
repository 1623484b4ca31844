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

#include <enzyme/enzyme>
#include <isozyme/cxx/shape.hpp>

namespace isozyme {

/// Holds \p x constant: `grad(f)(a, constant(b))` is the gradient by a alone.
/// \p x must live until the call is over.
template <typename T>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr constant_argument<T> constant(T &x) {
  return {x};
}
/// Likewise for a temporary, which lives until the end of the full expression.
template <typename T>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr constant_argument<const T>
constant(const T &&x) {
  return {x};
}

/// What takes no part: integers, enumerations, text, and what isozyme::constant holds.
template <typename T>
concept inert =
    std::integral<std::remove_cvref_t<T>> || std::is_enum_v<std::remove_cvref_t<T>> ||
    std::convertible_to<T, std::string_view> || detail::is_held_constant<std::remove_cvref_t<T>>;

/// Anything else has no derivative that Isozyme could return: wrap it in
/// isozyme::constant, or take it apart.
template <typename T>
concept argument = differentiable<T> || inert<T>;

namespace detail {

/// What a call that is refused returns, so that the reason is the only error.
struct no_derivative {
  template <typename T> operator T() const;
  template <typename T> no_derivative operator[](const T &) const;
  template <typename... T> no_derivative operator()(T &&...) const;
};

/// grad(f, x) and the like: they take the function alone.
template <typename F, typename Result = no_derivative> constexpr Result wants_function_alone() {
  static_assert(std::is_void_v<F>, "the function goes in alone, and what comes out takes the "
                                   "arguments: two pairs of parentheses, as in grad(f)(x)");
  return {};
}

/// Stands for the derivative by an argument of a call that is refused: a number or an object of
/// the argument's type, so that what is done with it is no further error.
template <typename T, typename D = std::decay_t<T>>
using refused_t = std::conditional_t<std::is_floating_point_v<D> ||
                                         (std::is_class_v<D> && !std::is_abstract_v<D>),
                                     D, no_derivative>;
template <typename X>
using refused_part =
    std::conditional_t<differentiable<X> || !inert<X>, std::tuple<refused_t<X>>, std::tuple<>>;
template <typename... X>
using refused_parts = decltype(std::tuple_cat(std::declval<refused_part<X>>()...));

template <typename Parts> struct refused_by {
  using type = Parts;
};
template <typename Part> struct refused_by<std::tuple<Part>> {
  using type = Part;
};
/// The gradient by arguments X.
template <typename... X> using refused_gradient = typename refused_by<refused_parts<X...>>::type;

template <typename F, typename... X> struct refused_result {
  using type = no_derivative;
};
template <typename F, typename... X>
  requires std::is_invocable_v<F &, X...>
struct refused_result<F, X...> {
  using type = refused_t<std::invoke_result_t<F &, X...>>;
};
/// What the function returns.
template <typename F, typename... X> using refused_value = typename refused_result<F, X...>::type;

/// No code is made of a call of it.
template <typename T> T refuse();

/// A complex number of the standard library, or lists of them.
template <typename T> constexpr bool holds_complex() {
  using D = std::remove_cvref_t<T>;
  if constexpr (requires(const D &z) {
                  requires std::same_as<decltype(z.real()), typename D::value_type>;
                  requires std::same_as<decltype(z.imag()), typename D::value_type>;
                })
    return true;
  else if constexpr (requires { requires !std::same_as<typename D::value_type, D>; })
    return holds_complex<typename D::value_type>();
  else
    return false;
}

/// Can derivatives by these arguments be asked for? Says what is wrong if not.
template <typename... X> constexpr bool check_arguments() {
  constexpr bool has_expression = (is_expression<std::remove_cvref_t<X>>() || ...);
  static_assert(!has_expression, "an expression, map or block of Eigen has no memory of its own: "
                                 "pass a matrix or vector, such as x.eval()");
  constexpr bool has_complex = ((holds_complex<X>() && !argument<X>) || ...);
  static_assert(!has_complex, "there is no derivative by std::complex: pass real and imaginary "
                              "parts, and make the complex number in the function");
  constexpr bool is_known = has_expression || has_complex || (argument<X> && ...);
  static_assert(is_known,
                "the type of an argument has no derivative here: pass numbers, std::vector, "
                "std::array, std::span or std::map of them, matrices of Eigen, or structs of these "
                "and of integers and text, without constructors and pointers; anything else in "
                "isozyme::constant(...), or by enzyme::Duplicated");
  return is_known && !has_expression && !has_complex;
}

/// Can what a function returns have derivatives? Says what is wrong if not.
template <typename R> constexpr bool check_value() {
  constexpr bool is_drawn = is_expression<R>();
  static_assert(!is_drawn, "the function returns an expression of Eigen: let it return the vector "
                           "or matrix, by '-> Eigen::VectorXd' or .eval()");
  constexpr bool is_complex = holds_complex<R>() && !differentiable<R>;
  static_assert(!is_complex, "there is no derivative of std::complex: let the function return real "
                             "and imaginary part, such as std::array{z.real(), z.imag()}");
  static_assert(is_drawn || is_complex || differentiable<R>,
                "the result of the function has no derivative");
  return !is_drawn && differentiable<R>;
}

/// Likewise for derivatives by a list of variables, the first argument.
template <typename X, typename... Rest> constexpr bool check_list() {
  static_assert(!number<X>, "put the variables in one list, such as std::vector{x, y}: the first "
                            "argument is a list of numbers");
  if constexpr (number<X>) {
    return false;
  } else if constexpr (!check_arguments<X, Rest...>()) {
    return false;
  } else {
    static_assert(number_list<X>, "the first argument is a list of numbers: std::vector, "
                                  "std::array, std::span, or a vector or matrix of Eigen");
    constexpr bool is_alone = (inert<Rest> && ...);
    static_assert(is_alone, "the first argument alone is differentiated: put all variables into "
                            "it, and hold the others by isozyme::constant(...)");
    return number_list<X> && is_alone;
  }
}

/// An argument with the memory that its derivative is accumulated in. Numbers need
/// none: their derivative is returned.
template <typename X> struct slot {
  using type = std::remove_reference_t<X>;
  using derivative = adjoint_t<std::remove_cv_t<type>>;
  type &x;
  derivative shadow;
  [[gnu::always_inline, gnu::no_instrument_function]] explicit slot(type &x)
      : x(x), shadow(zero_like(x)) {}

  [[gnu::always_inline, gnu::no_instrument_function]] auto annotated() {
    if constexpr (kind<std::remove_cv_t<type>>::is_span)
      return enzyme::Duplicated<std::remove_cv_t<type>>(x, std::remove_cv_t<type>(shadow));
    else
      return enzyme::Duplicated<type &>(x, const_cast<type &>(shadow));
  }
  template <typename Returned>
  [[gnu::always_inline, gnu::no_instrument_function]] std::tuple<derivative> gradient(Returned &) {
    return {std::move(shadow)};
  }
};
template <number X> struct slot<X> {
  using type = std::remove_cvref_t<X>;
  using derivative = type;
  type x;
  [[gnu::always_inline, gnu::no_instrument_function]] explicit slot(type x) : x(x) {}
  [[gnu::always_inline, gnu::no_instrument_function]] enzyme::Active<type> annotated() {
    return {x};
  }
  template <typename Returned>
  [[gnu::always_inline, gnu::no_instrument_function]] std::tuple<type>
  gradient(Returned &returned) {
    return {returned};
  }
};
/// A constant: small ones by value, others where they are.
template <typename T> struct constant_slot {
  T &x;
  [[gnu::always_inline, gnu::no_instrument_function]] auto annotated() {
    if constexpr (std::is_scalar_v<T>)
      return enzyme::Const<std::remove_cv_t<T>>(x);
    else
      return enzyme::Const<T &>(x);
  }
  template <typename Returned>
  [[gnu::always_inline, gnu::no_instrument_function]] std::tuple<> gradient(Returned &) {
    return {};
  }
};
template <inert X> struct slot<X> : constant_slot<std::remove_reference_t<X>> {
  [[gnu::always_inline, gnu::no_instrument_function]] explicit slot(std::remove_reference_t<X> &x)
      : constant_slot<std::remove_reference_t<X>>{x} {}
};
template <typename T> struct slot<constant_argument<T>> : constant_slot<T> {
  [[gnu::always_inline, gnu::no_instrument_function]] explicit slot(constant_argument<T> c)
      : constant_slot<T>{c.value} {}
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

template <typename X>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto annotated_constant(X &x) {
  if constexpr (std::same_as<held_t<X>, std::remove_cv_t<X>>)
    return constant_slot<X>{x}.annotated();
  else
    return constant_slot<std::remove_reference_t<decltype(x.value)>>{x.value}.annotated();
}

/// A tuple of one is written as its member.
template <typename... T>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto
unwrap_single(std::tuple<T...> &&all) {
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
