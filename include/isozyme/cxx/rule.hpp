//===- rule.hpp - Derivatives that the user writes ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At namespace scope, where the function is visible:
//
//   template struct isozyme::rule<f>::partials<g>;
//   template struct isozyme::rule<&S::f>::tangent<h>;
//
// From then on every derivative in this file uses the rule where f is called, and
// does not look into f. Which function is meant, and whether the rule fits it, is
// checked by the compiler.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_RULE_HPP
#define ISOZYME_CXX_RULE_HPP

#include <isozyme/cxx/tangent.hpp>

namespace isozyme {

namespace detail {

template <typename... T> struct list {};

template <typename... Lists> struct join;
template <typename... T> struct join<list<T...>> {
  using type = list<T...>;
};
template <typename... T, typename... U, typename... Rest>
struct join<list<T...>, list<U...>, Rest...> : join<list<T..., U...>, Rest...> {};

/// A parameter as derivative functions take it: with its tangent or shadow behind it, if
/// it has one.
template <typename P>
inline constexpr bool is_memory = std::is_pointer_v<P> || std::is_reference_v<P>;
/// A struct by value.
template <typename P>
inline constexpr bool is_struct = std::is_class_v<P> && !std::is_empty_v<P>;
template <typename P>
using with_tangent_t =
    std::conditional_t<number<P> || is_memory<P> || is_struct<P>, list<P, P>, list<P>>;
/// The shadow of what is only read is added to. A function may take it as constant all the same.
template <typename P> struct shadow_of {
  using type = P;
};
template <typename T> struct shadow_of<const T *> {
  using type = T *;
};
template <typename T> struct shadow_of<const T &> {
  using type = T &;
};
/// Of structs by value, those with addresses in them have a shadow.
template <typename P, bool Structs>
using with_shadow_t = std::conditional_t<is_memory<P> || (Structs && is_struct<P>),
                                         list<P, typename shadow_of<P>::type>, list<P>>;

template <typename Value, typename List> struct function_of;
template <typename Value, typename... T> struct function_of<Value, list<T...>> {
  using type = Value (*)(T...);
};

template <typename G, typename List> inline constexpr bool takes = false;
template <typename G, typename... T>
inline constexpr bool takes<G, list<T...>> = std::is_invocable_v<G, T...>;

/// The tape has a type of the user's.
struct any_tape {
  template <typename T> operator T() const;
};
/// What stands behind the arguments of the second half, but for the tape.
template <typename R>
using seed_t = std::conditional_t<number<R> || is_struct<R>, list<R>, list<>>;
template <typename G, typename R, typename Arguments>
inline constexpr bool takes_seed_and_tape =
    takes<G, typename join<Arguments, seed_t<R>>::type> ||
    takes<G, typename join<Arguments, seed_t<R>, list<any_tape>>::type> ||
    takes<G, Arguments> || takes<G, typename join<Arguments, list<any_tape>>::type>;

/// A function in the initialiser of a registration: a pointer, or a member's.
template <typename Pointer, std::size_t Count> struct registration {
  Pointer of;
  const void *derivatives[Count];
};

/// What the tangent of a function is returned with.
template <typename R> struct tangent_result {
  using type = value_and_tangent<R>;
};
template <> struct tangent_result<void> {
  using type = void;
};

/// The derivative of a function from its partial derivatives.
template <auto F, auto Partials, typename R, typename... P> struct from_partials {
  static constexpr std::size_t count = (std::size_t(number<P>) + ...);
  static_assert(number<R> && ((number<P> || std::is_integral_v<P> || std::is_enum_v<P>) && ...),
                "partial derivatives are for functions from numbers to a number");
  using gradient = std::conditional_t<count == 1, R, std::array<R, count>>;
  static_assert(std::is_invocable_r_v<gradient, decltype(Partials), P...>,
                "the partial derivatives are a function of the same arguments, and return a "
                "number, or a std::array of one for each argument that is a number");

  template <typename List> struct forward;
  template <typename... T> struct forward<list<T...>> {
    static value_and_tangent<R> call(T... operands) {
      return apply(std::tuple<T...>(operands...), std::index_sequence_for<P...>{});
    }
    template <std::size_t... I>
    static value_and_tangent<R> apply(std::tuple<T...> all, std::index_sequence<I...>) {
      const gradient g = Partials(std::get<place<I>()>(all)...);
      R tangent = 0;
      (add<I>(tangent, g, all), ...);
      return {F(std::get<place<I>()>(all)...), tangent};
    }
    template <std::size_t I>
    static void add(R &tangent, const gradient &g, const std::tuple<T...> &all) {
      if constexpr (number<std::tuple_element_t<I, std::tuple<P...>>>) {
        if constexpr (count == 1)
          tangent += g * std::get<place<I>() + 1>(all);
        else
          tangent += g[differentiable_before<I, P...>()] * std::get<place<I>() + 1>(all);
      }
    }
  };
  /// Where parameter I stands when every number has its tangent behind it.
  template <std::size_t I> static constexpr std::size_t place() {
    return I + differentiable_before<I, P...>();
  }

  static R augmented(P... x) { return F(x...); }
  static gradient reverse(P... x, R seed) {
    gradient g = Partials(x...);
    if constexpr (count == 1) {
      g *= seed;
    } else {
      for (R &each : g)
        each *= seed;
    }
    return g;
  }
};

template <auto F, typename R, typename... P> struct rule_of {
  /// What a tangent function for F looks like: `value_and_tangent<R> (P, dP, ...)`.
  using tangent_function =
      typename function_of<typename tangent_result<R>::type,
                           typename join<list<>, with_tangent_t<P>...>::type>::type;
  using tangents = typename join<list<>, with_tangent_t<P>...>::type;
  template <bool Structs> using shadows = typename join<list<>, with_shadow_t<P, Structs>...>::type;
  using pointer = std::remove_const_t<decltype(F)>;

  /// Forward mode calls \p Tangent, which gets every number, pointer, reference and struct with
  /// its tangent behind it, and returns value and tangent (nothing if F does not).
  template <tangent_function Tangent> struct tangent {
    [[gnu::used]] static inline const registration<pointer, 1> __enzyme_register_derivative_rule = {
        F, {(const void *)Tangent}};
  };

  /// Reverse mode calls \p Augmented in place of F, and \p Reverse on the way back. Both
  /// get every pointer and reference with its shadow behind it, and structs that hold
  /// pointers. Augmented returns what F does, or a struct {tape, result}; Reverse gets the
  /// seed (if F returns numbers), then the tape, and returns the gradient of each argument
  /// that is a number or a struct of numbers.
  template <auto Augmented, auto Reverse> struct reverse {
    static_assert(takes<decltype(Augmented), shadows<false>> ||
                      takes<decltype(Augmented), shadows<true>>,
                  "the augmented function takes the arguments of the function, each pointer and "
                  "reference followed by its shadow");
    static_assert(takes_seed_and_tape<decltype(Reverse), R, shadows<false>> ||
                      takes_seed_and_tape<decltype(Reverse), R, shadows<true>>,
                  "the reverse function takes the arguments of the function, each pointer and "
                  "reference followed by its shadow, then the seed if the function returns a "
                  "number, then the tape if the augmented function returns one");
    [[gnu::used]] static inline const registration<pointer, 2> __enzyme_register_gradient_rule = {
        F, {(const void *)+Augmented, (const void *)+Reverse}};
  };

  /// Forward mode from a tape: \p First runs in place of F, takes what the augmented function
  /// of `reverse` does, but must not use shadows, and returns the like; \p Second gets every
  /// number, pointer, reference and struct with its tangent behind it, then the tape, and
  /// returns the tangent.
  template <auto First, auto Second> struct split_tangent {
    static_assert(takes<decltype(First), shadows<false>> || takes<decltype(First), shadows<true>>,
                  "the first function takes the arguments of the function, each pointer and "
                  "reference followed by its shadow");
    static_assert(takes<decltype(Second), tangents> ||
                      takes<decltype(Second), typename join<tangents, list<any_tape>>::type>,
                  "the second function takes the arguments of the function, each number, pointer "
                  "and reference followed by its tangent, then the tape if the first function "
                  "returns one");
    [[gnu::used]] static inline const registration<pointer, 2>
        __enzyme_register_splitderivative_rule = {
            F, {(const void *)+First, (const void *)+Second}};
  };

  /// Both modes, for functions from numbers to a number: \p Partials returns the partial
  /// derivative, or a std::array of them.
  template <auto Partials> struct partials {
    using made = from_partials<F, Partials, R, P...>;
    using forward = typename made::template forward<
        typename join<list<>, with_tangent_t<P>...>::type>;
    [[gnu::used]] static inline const void *const __enzyme_register_derivative_rule[] = {
        (const void *)F, (const void *)&forward::call};
    [[gnu::used]] static inline const void *const __enzyme_register_gradient_rule[] = {
        (const void *)F, (const void *)&made::augmented, (const void *)&made::reverse};
  };
};

template <auto F, typename Type = decltype(F)> struct rule_for;
template <auto F, typename R, typename... P>
struct rule_for<F, R (*)(P...)> : rule_of<F, R, P...> {};
template <auto F, typename R, typename... P>
struct rule_for<F, R (*)(P...) noexcept> : rule_of<F, R, P...> {};
// A member takes its object first.
template <auto F, typename C, typename R, typename... P>
struct rule_for<F, R (C::*)(P...)> : rule_of<F, R, C &, P...> {};
template <auto F, typename C, typename R, typename... P>
struct rule_for<F, R (C::*)(P...) const> : rule_of<F, R, const C &, P...> {};
template <auto F, typename C, typename R, typename... P>
struct rule_for<F, R (C::*)(P...) noexcept> : rule_of<F, R, C &, P...> {};
template <auto F, typename C, typename R, typename... P>
struct rule_for<F, R (C::*)(P...) const noexcept> : rule_of<F, R, const C &, P...> {};

} // namespace detail

/// The derivative of \p F: a function, an instance of a function template, or a member
/// (`&S::f`, not virtual), whose object comes first, as a reference.
template <auto F> struct rule : detail::rule_for<F> {};

/// One of several functions of a name: `rule<overload<double(double)>(f)>`, and for members
/// `rule<overload<double(double) const>(&S::f)>`.
template <typename Signature> constexpr Signature *overload(Signature *f) { return f; }
/// One of several members of a name.
template <typename Signature, typename C> constexpr auto overload(Signature C::*f) { return f; }

} // namespace isozyme

#endif
