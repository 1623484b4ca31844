//===- second.hpp - Second derivatives: hvp and hessian ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward mode over reverse mode: the derivative of the gradient along a direction.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_SECOND_HPP
#define ISOZYME_CXX_SECOND_HPP

#include <isozyme/cxx/jacobian.hpp>

namespace isozyme {

namespace detail {

/// A function pointer as an object: inside another function, only its type is constant.
template <typename F> struct pointed_function {
  F *f;
  template <typename... X> decltype(auto) operator()(X &&...x) const {
    return f(std::forward<X>(x)...);
  }
};
template <typename F> struct as_object {
  using type = F;
};
template <typename F> struct as_object<F *> {
  using type = pointed_function<F>;
};

/// The gradient, into memory that is there: so it has a derivative in memory too.
/// \p Rest are the types of constants as held_t has them.
template <typename F, typename X, typename G, typename... Rest> struct gradient_into {
  using point = std::conditional_t<kind<std::remove_cv_t<X>>::is_span, X, X &>;
  const F &f;
  void operator()(point x, G &g, Rest... rest) const {
    using R = std::invoke_result_t<const F &, X &, Rest &...>;
    static_assert(number<R>, "the function to differentiate returns a number");
    enzyme::autodiff<enzyme::Reverse, enzyme::Active<R>>(
        f, pair(x, g), constant_slot<std::remove_reference_t<Rest>>{rest}.annotated()...);
  }
  /// \p g has the type of \p x, but for a span, whose derivative is in a vector.
  static auto pair(X &x, G &g) {
    using T = std::remove_cv_t<X>;
    if constexpr (kind<T>::is_span)
      return enzyme::Duplicated<T>(x, T(g));
    else
      return enzyme::Duplicated<X &>(x, g);
  }
};

/// Has \p F a Hessian by X? Says what is wrong if not.
template <typename F, typename X, typename... Rest> constexpr bool check_hessian() {
  if constexpr (!check_list<X, Rest...>()) {
    return false;
  } else {
    constexpr bool is_callable = std::is_invocable_v<const F &, given_t<X>, given_t<Rest>...>;
    static_assert(is_callable, "the function cannot be called with these arguments: their number "
                               "or their types differ from its parameters");
    if constexpr (is_callable) {
      constexpr bool is_number =
          number<std::invoke_result_t<const F &, given_t<X>, given_t<Rest>...>>;
      static_assert(is_number, "a Hessian is that of a function that returns a number");
      return is_number;
    } else {
      return false;
    }
  }
}

/// A span's directions may be any list.
template <typename X, typename V> constexpr bool is_like() {
  return kind<X>::is_span || std::same_as<X, std::remove_cvref_t<V>>;
}

template <typename F> struct hvp_of {
  typename as_object<F>::type f;

  template <typename X, typename V, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] auto operator()(X &&x, V &&v,
                                                                      Rest &&...rest) const {
    if constexpr (!check_hessian<F, X, Rest...>()) {
      return no_derivative{};
    } else {
      using T = std::remove_reference_t<X>;
      constexpr bool is_direction = number_list<V> && is_like<std::remove_cv_t<T>, V>();
      static_assert(is_direction, "the direction, the second argument, has the type of the list "
                                  "of variables, the first one");
      auto product = zero_like(x);
      if constexpr (is_direction) {
        if (!has_shape(x, v))
          fail_use("hvp: the direction has another size than the list of variables");
        evaluate<T>(x, v, product, rest...);
      }
      return product;
    }
  }

  /// Adds H(x) v to \p product.
  template <typename X, typename V, typename G, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] void evaluate(X &x, V &v, G &product,
                                                                    Rest &...rest) const {
    using T = std::remove_cv_t<X>;
    G g = zero_like(x);
    gradient_into<typename as_object<F>::type, X, G, held_t<Rest>...> gradient{f};
    enzyme::Duplicated<G &> result(g, product);
    if constexpr (kind<T>::is_span) {
      using element = typename T::element_type;
      enzyme::Duplicated<T> point(x, T(const_cast<element *>(std::data(v)), std::size(v)));
      differentiate(gradient, point, result, rest...);
    } else {
      enzyme::Duplicated<X &> point(x, const_cast<X &>(v));
      differentiate(gradient, point, result, rest...);
    }
  }

private:
  template <typename Gradient, typename Point, typename Result, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] static void
  differentiate(Gradient &gradient, Point &point, Result &result, Rest &...rest) {
    enzyme::autodiff<enzyme::Forward, enzyme::Const<void>>(gradient, point, result,
                                                           annotated_constant(rest)...);
  }
};

template <typename F> struct hessian_of {
  hvp_of<F> product;

  template <typename X, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] auto operator()(X &&x, Rest &&...rest) const {
    if constexpr (check_hessian<F, X, Rest...>())
      return columns(x, rest...);
    else
      return no_derivative{};
  }

private:
  template <typename X, typename... Rest>
  [[gnu::always_inline, gnu::no_instrument_function]] auto columns(X &x, Rest &...rest) const {
    using list = std::remove_cv_t<X>;
    using M = dense_t<std::remove_cvref_t<decltype(nth(x, 0))>, list, list>;
    std::size_t n = count(x);
    M all = zeros<M>(n, n);
    auto v = zero_like(x);
    for (std::size_t column = 0; column < n; ++column) {
      nth(v, column) = 1;
      auto h = product(x, v, rest...);
      nth(v, column) = 0;
      for (std::size_t row = 0; row < n; ++row)
        all(row, column) = nth(h, row);
    }
    return all;
  }
};

} // namespace detail

/// The Hessian of \p f times a vector: `hvp(f)(x, v)`, where x lists the variables. Costs
/// a few gradients, whatever the number of variables. More arguments are constants.
template <typename F>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr detail::hvp_of<detail::kept<F>>
hvp(F &&f) {
  return {{std::forward<F>(f)}};
}

/// The Hessian of \p f, which returns a number, by its first argument, a list of numbers.
/// Costs one hvp for each of them.
template <typename F>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr detail::hessian_of<detail::kept<F>>
hessian(F &&f) {
  return {{{std::forward<F>(f)}}};
}

/// Not to be called: says how it is done.
template <typename F, typename X, typename... More>
constexpr detail::no_derivative hvp(F &&, X &&, More &&...) {
  return detail::wants_function_alone<F>();
}
/// Not to be called: says how it is done.
template <typename F, typename X, typename... More>
constexpr detail::no_derivative hessian(F &&, X &&, More &&...) {
  return detail::wants_function_alone<F>();
}

} // namespace isozyme

#endif
