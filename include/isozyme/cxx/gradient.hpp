//===- gradient.hpp - grad and value_and_grad --------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_GRADIENT_HPP
#define ISOZYME_CXX_GRADIENT_HPP

#include <isozyme/cxx/arguments.hpp>

namespace isozyme {

/// What value_and_grad returns.
template <typename Value, typename Gradient> struct value_and_gradient {
  Value value;       ///< What the function returns.
  Gradient gradient; ///< Of the arguments' type; a std::tuple for several.
};

namespace detail {

template <typename F, typename... X> using result_t = std::invoke_result_t<F &, X...>;

/// One call of the derivative. Slots live as long as the call.
template <typename F, typename... X, std::size_t... I>
[[gnu::always_inline]] inline auto value_and_gradient_at(const F &f, std::index_sequence<I...>,
                                                         slot<X>... slots) {
  auto all = enzyme::autodiff<enzyme::ReverseWithPrimal>(f, slots.annotated()...);
  auto &gradients = enzyme::get<0>(all);
  auto gradient =
      unwrap_single(std::tuple_cat(slots.gradient(enzyme::get<I>(gradients))...));
  return value_and_gradient<std::remove_cvref_t<decltype(enzyme::get<1>(all))>,
                            decltype(gradient)>{enzyme::get<1>(all), std::move(gradient)};
}

template <typename F> struct value_and_grad_of {
  F f;
  template <argument... X> [[gnu::always_inline]] auto operator()(X &&...x) const {
    static_assert((differentiable<X> || ...), "no argument is differentiated");
    return value_and_gradient_at(f, std::index_sequence_for<X...>{}, slot<X>(x)...);
  }
};

template <typename F> struct grad_of {
  F f;
  template <argument... X> [[gnu::always_inline]] auto operator()(X &&...x) const {
    static_assert((differentiable<X> || ...), "no argument is differentiated");
    return std::move(
        value_and_gradient_at(f, std::index_sequence_for<X...>{}, slot<X>(x)...).gradient);
  }
};

} // namespace detail

/// The gradient of \p f, which returns a number, as a function of the same arguments.
template <typename F>
[[gnu::always_inline]] constexpr detail::grad_of<detail::kept<F>> grad(F &&f) {
  return {std::forward<F>(f)};
}

/// Likewise, with the value of \p f: `auto [value, gradient] = value_and_grad(f)(x);`
template <typename F>
[[gnu::always_inline]] constexpr detail::value_and_grad_of<detail::kept<F>> value_and_grad(F &&f) {
  return {std::forward<F>(f)};
}

} // namespace isozyme

#endif
