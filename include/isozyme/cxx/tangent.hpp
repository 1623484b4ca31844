//===- tangent.hpp - jvp: the derivative along one direction -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_TANGENT_HPP
#define ISOZYME_CXX_TANGENT_HPP

#include <isozyme/cxx/arguments.hpp>

namespace isozyme {

/// What jvp returns: both have the type of the function's result.
template <typename Value> struct value_and_tangent {
  Value value;   ///< What the function returns.
  Value tangent; ///< Its derivative in the given direction, of the same shape.
};

/// Where a function is differentiated: all its arguments.
template <typename... X> struct at_point {
  std::tuple<X &&...> x; ///< References: they must outlive the call.
};
/// Arguments for jvp: `at(x, y)`. Nothing is copied.
template <typename... X>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr at_point<X...> at(X &&...x) {
  return {{std::forward<X>(x)...}};
}

/// In which direction: a value for each differentiable argument, of its shape (a vector
/// or a span for a span).
template <typename... V> struct direction {
  std::tuple<V &&...> v; ///< References: they must outlive the call.
};
/// A direction for jvp: `along(vx, vy)`, in the unit of the arguments. Nothing is copied.
template <typename... V>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr direction<V...> along(V &&...v) {
  return {{std::forward<V>(v)...}};
}

namespace detail {

/// How many of the first \p I types are differentiable.
template <std::size_t I, typename... X> constexpr std::size_t differentiable_before() {
  constexpr bool all[] = {differentiable<X>..., false};
  std::size_t count = 0;
  for (std::size_t i = 0; i < I; ++i)
    count += all[i];
  return count;
}

/// An argument and its tangent, taken from the directions if it has one.
template <std::size_t Index, typename X, typename... V>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto with_tangent(X &x,
                                                                             std::tuple<V...> &v) {
  using T = std::remove_cv_t<X>;
  if constexpr (!differentiable<X>) {
    return slot<T>(x).annotated();
  } else if constexpr (number<X>) {
    return enzyme::Duplicated<T>(x, static_cast<T>(std::get<Index>(v)));
  } else if constexpr (kind<T>::is_span) {
    using element = typename T::element_type;
    auto &tangent = std::get<Index>(v);
    if (x.size() != std::size(tangent))
      fail_use("jvp: a direction has another size than the argument that it belongs to");
    // A tangent is only written where the function writes.
    return enzyme::Duplicated<T>(x, T(const_cast<element *>(tangent.data()), tangent.size()));
  } else {
    using given = std::remove_cvref_t<std::tuple_element_t<Index, std::tuple<V...>>>;
    constexpr bool is_direction = std::same_as<given, T>;
    static_assert(is_direction, "a direction has the type of the argument that it belongs to");
    if constexpr (is_direction)
      if (!has_shape(x, std::get<Index>(v)))
        fail_use("jvp: a direction has another size than the argument that it belongs to");
    if constexpr (is_direction)
      return enzyme::Duplicated<X &>(x, const_cast<X &>(std::get<Index>(v)));
    else
      return enzyme::Duplicated<X &>(x, x);
  }
}

template <typename F, typename Point, typename Direction> struct tangent_check;
template <typename F, typename... X, typename... V>
struct tangent_check<F, at_point<X...>, direction<V...>> {
  static constexpr bool is_fine() {
    if constexpr (!check_arguments<X...>()) {
      return false;
    } else {
      constexpr bool is_counted = sizeof...(V) == differentiable_before<sizeof...(X), X...>();
      static_assert(is_counted, "along(...) wants one direction for each differentiable argument "
                                "of at(...)");
      constexpr bool is_callable = std::is_invocable_v<F &, given_t<X>...>;
      static_assert(is_callable, "the function cannot be called with these arguments: their number "
                                 "or their types differ from its parameters");
      if constexpr (is_callable && is_counted)
        return check_value<std::remove_cvref_t<std::invoke_result_t<F &, given_t<X>...>>>();
      else
        return false;
    }
  }
};
/// Does it make sense to differentiate a function at this point, along this direction? Says what
/// is wrong if not.
template <typename F, typename Point, typename Direction> constexpr bool check_tangent() {
  return tangent_check<F, Point, Direction>::is_fine();
}

template <typename F, typename... X, typename... V, std::size_t... I>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto
jvp_at(F &f, std::tuple<X...> &x, std::tuple<V...> &v, std::index_sequence<I...>) {
  using R = std::remove_cvref_t<std::invoke_result_t<F &, given_t<X>...>>;
  auto both = enzyme::autodiff<enzyme::Forward, enzyme::Duplicated<R>>(
      f, with_tangent<differentiable_before<I, X...>()>(std::get<I>(x), v)...);
  return value_and_tangent<R>{std::move(enzyme::get<0>(both)), std::move(enzyme::get<1>(both))};
}

} // namespace detail

/// The value of \p f and its derivative along a direction: J(x) v, at the cost of about
/// two calls of \p f. The result may be a number, a struct of numbers, an array, a vector.
template <typename F, typename... X, typename... V>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto jvp(F &&f, at_point<X...> x,
                                                                    direction<V...> v) {
  if constexpr (detail::check_tangent<F, at_point<X...>, direction<V...>>())
    return detail::jvp_at(f, x.x, v.v, std::index_sequence_for<X...>{});
  else
    return detail::refuse<
        value_and_tangent<detail::refused_value<std::remove_reference_t<F>, X...>>>();
}

/// The point and the direction as they are: what is said of such a call.
template <typename F, typename... X>
  requires(!requires(X &...x) {
    []<typename... P, typename... V>(at_point<P...> &, direction<V...> &) {}(x...);
  })
auto jvp(F &&, X &&...) {
  static_assert(sizeof(std::remove_reference_t<F> *) == 0,
                "jvp takes a point and a direction: jvp(f, at(x, ...), along(v, ...))");
  return value_and_tangent<detail::no_derivative>{};
}

} // namespace isozyme

#endif
