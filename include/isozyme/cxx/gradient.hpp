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

/// What the function gets for an argument.
template <typename X>
using passed_t = enzyme::primal_t<std::decay_t<decltype(std::declval<slot<X> &>().annotated())>>;

/// Has \p F a gradient by arguments X that are fine? Says what is wrong if not.
template <typename F, typename... X> constexpr bool check_function() {
  constexpr bool is_any = (differentiable<X> || ...);
  static_assert(is_any, "no argument is differentiated: integers are constants, 3.0 is a number");
  static_assert(!std::is_member_pointer_v<F>,
                "a member is no function of its own: write a lambda that calls it");
  constexpr bool is_callable =
      std::is_invocable_v<const F &, passed_t<X>...> && !std::is_member_pointer_v<F>;
  static_assert(is_callable || std::is_member_pointer_v<F> || !is_any,
                "the function cannot be called with these arguments: their number or their types "
                "differ from its parameters");
  if constexpr (is_callable && is_any) {
    constexpr bool is_number = number<std::invoke_result_t<const F &, passed_t<X>...>>;
    static_assert(is_number, "a gradient is that of a function that returns a number; for others "
                             "there are isozyme::jacobian, jvp and vjp");
    return is_number;
  } else {
    return false;
  }
}

/// Is the gradient of \p F at arguments X one that can be asked for?
template <typename F, typename... X> constexpr bool check_gradient() {
  if constexpr (check_arguments<X...>())
    return check_function<F, X...>();
  else
    return false;
}

/// One call of the derivative. Slots live as long as the call.
template <typename F, typename... X, std::size_t... I>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto
value_and_gradient_at(const F &f, std::index_sequence<I...>, slot<X>... slots) {
  auto all = enzyme::autodiff<enzyme::ReverseWithPrimal>(f, slots.annotated()...);
  auto &gradients = enzyme::get<0>(all);
  auto gradient = unwrap_single(std::tuple_cat(slots.gradient(enzyme::get<I>(gradients))...));
  return value_and_gradient<std::remove_cvref_t<decltype(enzyme::get<1>(all))>, decltype(gradient)>{
      enzyme::get<1>(all), std::move(gradient)};
}

template <typename F> struct value_and_grad_of {
  F f;
  template <typename... X>
  [[gnu::always_inline, gnu::no_instrument_function]] auto operator()(X &&...x) const {
    if constexpr (check_gradient<F, X...>())
      return value_and_gradient_at(f, std::index_sequence_for<X...>{}, slot<X>(x)...);
    else
      return refuse<value_and_gradient<refused_value<const F, X...>, refused_gradient<X...>>>();
  }
};

template <typename F> struct grad_of {
  F f;
  template <typename... X>
  [[gnu::always_inline, gnu::no_instrument_function]] auto operator()(X &&...x) const {
    if constexpr (check_gradient<F, X...>())
      return std::move(
          value_and_gradient_at(f, std::index_sequence_for<X...>{}, slot<X>(x)...).gradient);
    else
      return refuse<refused_gradient<X...>>();
  }
};

} // namespace detail

/// The gradient of \p f, which returns a number, as a function of the same arguments.
template <typename F>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr detail::grad_of<detail::kept<F>>
grad(F &&f) {
  return {std::forward<F>(f)};
}

/// Likewise, with the value of \p f: `auto [value, gradient] = value_and_grad(f)(x);`
template <typename F>
[[gnu::always_inline,
  gnu::no_instrument_function]] constexpr detail::value_and_grad_of<detail::kept<F>>
value_and_grad(F &&f) {
  return {std::forward<F>(f)};
}

/// Not to be called: says how it is done.
template <typename F, typename X, typename... More>
constexpr detail::no_derivative grad(F &&, X &&, More &&...) {
  return detail::wants_function_alone<F>();
}
/// Not to be called: says how it is done.
template <typename F, typename X, typename... More>
constexpr auto value_and_grad(F &&, X &&, More &&...) {
  return detail::wants_function_alone<
      F, value_and_gradient<detail::no_derivative, detail::no_derivative>>();
}

} // namespace isozyme

#endif
