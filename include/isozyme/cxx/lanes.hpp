//===- lanes.hpp - Derivatives along several directions ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a function that returns a list, and the derivatives along several
// directions beside it. What they have in common is computed once.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_LANES_HPP
#define ISOZYME_CXX_LANES_HPP

#include <isozyme/cxx/arguments.hpp>
#include <memory>

namespace isozyme {

namespace detail {

/// So many directions at once gain most: more do not stay in the registers of a processor.
inline constexpr std::size_t most_lanes = 4;

/// How many directions a run has for \p columns columns, which are -1 if that is not known
/// when the program is compiled: as few runs as possible, and lanes in all of them.
constexpr std::size_t lanes_for(int columns) {
  if (columns < 1)
    return most_lanes;
  const std::size_t all = columns, runs = (all + most_lanes - 1) / most_lanes;
  return (all + runs - 1) / runs;
}

/// A result, and what stands beside it in each lane; all made by the call.
template <typename R, std::size_t Width> struct lanes_room {
  enzyme::detail::room<R> result, shadow[Width];
  [[gnu::always_inline, gnu::no_instrument_function]] lanes_room() {
    __builtin_memset(static_cast<void *>(&shadow), 0, sizeof shadow);
  }
  lanes_room(const lanes_room &) = delete;
  [[gnu::always_inline, gnu::no_instrument_function]] ~lanes_room() {
    result.value.~R();
    for (auto &s : shadow)
      s.value.~R();
  }
};

/// A list of variables with a direction for each lane. A span is an object of its own, which
/// leads to the numbers of a direction.
template <typename X, std::size_t Width> struct directions {
  using list = std::remove_cv_t<X>;
  using direction = adjoint_t<list>;
  static constexpr bool by_span = kind<list>::is_span;

  X &x;
  std::vector<direction> along;

  explicit directions(X &x) : x(x), along(Width, zero_like(x)) {}

  /// What the derivative takes for the variables in that lane.
  [[gnu::always_inline, gnu::no_instrument_function]] auto shadow(std::size_t lane) {
    if constexpr (by_span)
      return list(const_cast<typename list::element_type *>(along[lane].data()),
                  along[lane].size());
    else
      return static_cast<void *>(std::addressof(along[lane]));
  }
};

/// Runs \p f at the variables of \p d, and beside it the derivatives along its directions.
template <typename F, typename X, std::size_t Width, typename... Rest> struct lanes_run {
  static constexpr bool by_span = directions<X, Width>::by_span;
  using variables = std::conditional_t<by_span, std::remove_cv_t<X>, X &>;
  using result = std::remove_cvref_t<std::invoke_result_t<const F &, X &, given_t<Rest>...>>;
  template <typename... A>
  using thunk = enzyme::detail::thunk<const F, result, variables, enzyme::primal_t<A>...>;

  template <std::size_t... Lane>
  [[gnu::always_inline, gnu::no_instrument_function]] static void
  into(lanes_room<result, Width> &made, const F &f, directions<X, Width> &d,
       std::index_sequence<Lane...>, Rest &...rest) {
    auto operand = [](auto &shadow) {
      if constexpr (by_span)
        return static_cast<void *>(&shadow);
      else
        return shadow;
    };
    std::tuple shadows{d.shadow(Lane)...};
    call(made, f, const_cast<void *>(static_cast<const void *>(std::addressof(d.x))),
         std::index_sequence<Lane...>{}, std::tuple{operand(std::get<Lane>(shadows))...},
         annotated_constant(rest)...);
  }

private:
  template <std::size_t... Lane, typename Shadows, typename... A>
  [[gnu::always_inline, gnu::no_instrument_function]] static void
  call(lanes_room<result, Width> &made, const F &f, void *x, std::index_sequence<Lane...>,
       Shadows shadows, A... constants) {
    enzyme::detail::expand<void, enzyme::detail::entry_fwddiff, sizeof...(A)>(
        constants..., (void *)&thunk<A...>::callInto, enzyme_width, static_cast<int>(Width),
        enzyme_const, const_cast<void *>(static_cast<const void *>(std::addressof(f))), enzyme_dup,
        static_cast<void *>(&made.result), static_cast<void *>(&made.shadow[Lane])..., enzyme_dup,
        x, std::get<Lane>(shadows)...);
  }
};

/// \p Read(result, tangent, lane) is called for each lane.
template <std::size_t Width, typename F, typename X, typename Read, typename... Rest>
[[gnu::always_inline, gnu::no_instrument_function]] inline void
run_lanes(const F &f, directions<X, Width> &d, Read read, Rest &...rest) {
  using run = lanes_run<F, X, Width, Rest...>;
  lanes_room<typename run::result, Width> made;
  run::into(made, f, d, std::make_index_sequence<Width>{}, rest...);
  for (std::size_t lane = 0; lane < Width; ++lane)
    read(made.result.value, made.shadow[lane].value, lane);
}

} // namespace detail

} // namespace isozyme

#endif
