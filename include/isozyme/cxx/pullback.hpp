//===- pullback.hpp - vjp: derivatives of any result -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two halves of a reverse derivative: the function runs once, and what the
// way back needs is kept on a tape until the last seed has been given.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_PULLBACK_HPP
#define ISOZYME_CXX_PULLBACK_HPP

#include <algorithm>
#include <isozyme/cxx/arguments.hpp>
#include <memory>

// Replaced by Isozyme, as those in <enzyme/enzyme>.
template <typename Result, typename... Operands> Result __enzyme_augmentfwd(Operands...);
template <typename Result, typename... Operands> Result __enzyme_reverse(Operands...);

namespace isozyme {

namespace detail {

/// A number that isozyme::constant holds, kept beside the tape: a temporary is gone by the time
/// of the way back.
template <typename T> struct kept_constant {
  T value;
  template <typename U> explicit kept_constant(constant_argument<U> c) : value(c.value) {}
};
template <typename T> struct held<kept_constant<T>> {
  using type = T;
};
template <typename T> struct slot<kept_constant<T> &> : constant_slot<T> {
  explicit slot(kept_constant<T> &c) : constant_slot<T>{c.value} {}
};

struct entry_augment {
  template <typename R, typename... Operands>
  [[gnu::always_inline, gnu::no_instrument_function]] static R call(Operands... operands) {
    return __enzyme_augmentfwd<R>(operands...);
  }
};
struct entry_reverse {
  template <typename R, typename... Operands>
  [[gnu::always_inline, gnu::no_instrument_function]] static R call(Operands... operands) {
    return __enzyme_reverse<R>(operands...);
  }
};

/// How many of the first \p I arguments have their gradient returned.
template <std::size_t I, typename... A> constexpr std::size_t returned_before() {
  constexpr bool all[] = {enzyme::detail::is_returned<A>..., false};
  std::size_t count = 0;
  for (std::size_t i = 0; i < I; ++i)
    count += all[i];
  return count;
}

/// Everything between the two halves. Shadows and results have addresses that the tape
/// knows: a run stays where it was made.
template <typename F, typename R, typename... X> class run {
  using annotated = enzyme::tuple<decltype(std::declval<slot<X &> &>().annotated())...>;
  template <typename A> using primal_t = enzyme::primal_t<A>;
  static constexpr bool in_memory = enzyme::detail::by_address<R>;

public:
  template <typename... Given>
  explicit run(const F &f, Given &&...given)
      : f(f), x(std::forward<Given>(given)...), slots(make_slots(all{})) {
    augment(all{});
  }
  run(const run &) = delete;
  ~run() {
    if (used_up)
      return;
    // The last reverse sweep releases the tape, whatever its seed. Nothing it gives is used.
    release(zero_like(value()), all{});
  }

  const R &value() const {
    if constexpr (in_memory)
      return room.result.value;
    else
      return room;
  }

  /// The gradient for one seed. \p Keep: another one will follow.
  template <bool Keep> auto pull(const R &seed) {
    if (!has_shape(value(), seed))
      fail_use("vjp: the seed has another size than the result of the function");
    used_up = !Keep;
    return reverse<Keep>(seed, all{});
  }

private:
  using all = std::index_sequence_for<X...>;
  using slot_tuple = std::tuple<slot<X &>...>;
  template <std::size_t... I> slot_tuple make_slots(std::index_sequence<I...>) {
    return {slot<X &>(std::get<I>(x))...};
  }

  template <typename... A> struct thunk_of {
    using type = enzyme::detail::thunk<const F, R, primal_t<A>...>;
  };
  template <typename... A> static thunk_of<A...> thunk_for(const A &...);

  template <std::size_t... I> void augment(std::index_sequence<I...>) {
    using thunk = typename decltype(thunk_for(std::get<I>(slots).annotated()...))::type;
    if constexpr (in_memory) {
      tape = enzyme::detail::expand<void *, entry_augment, sizeof...(X)>(
          std::get<I>(slots).annotated()..., (void *)&thunk::callInto, enzyme_const, (void *)&f,
          enzyme_dup, (void *)&room.result, (void *)&room.shadow);
    } else {
      using both = enzyme::tuple<void *, R>;
      both made = enzyme::detail::expand<both, entry_augment, sizeof...(X)>(
          std::get<I>(slots).annotated()..., (void *)&thunk::call, enzyme_const, (void *)&f);
      tape = enzyme::get<0>(made);
      room = enzyme::get<1>(made);
    }
  }

  // Inlined: a flag has to be seen as the variable that it is.
  template <bool Keep, std::size_t... I>
  [[gnu::always_inline, gnu::no_instrument_function]] auto
  reverse(const R &seed, std::index_sequence<I...> indices) {
    if constexpr (Keep)
      return reverse_with(seed, indices, enzyme_nofree);
    else
      return reverse_with(seed, indices);
  }

  template <std::size_t... I, typename... Flags>
  [[gnu::always_inline, gnu::no_instrument_function]] auto
  reverse_with(const R &seed, std::index_sequence<I...>, Flags &...flags) {
    return reverse_call<decltype(std::get<I>(slots).annotated())...>(
        seed, std::index_sequence<I...>{}, flags...);
  }

  template <std::size_t... I>
  [[gnu::always_inline, gnu::no_instrument_function]] void
  release(const R &seed, std::index_sequence<I...> indices) {
    call_back<enzyme::tuple<>, decltype(std::get<I>(slots).annotated())...>(seed, indices);
  }

  template <typename... A, std::size_t... I, typename... Flags>
  [[gnu::always_inline, gnu::no_instrument_function]] auto
  reverse_call(const R &seed, std::index_sequence<I...> indices, Flags &...flags) {
    using raw = typename enzyme::detail::append_returned<enzyme::tuple<>, A...>::type;
    raw numbers = call_back<raw, A...>(seed, indices, flags...);
    return unwrap_single(
        std::tuple_cat(take<returned_before<I, A...>()>(std::get<I>(slots), numbers)...));
  }

  /// The call of the second half; Raw holds what it returns that is wanted.
  template <typename raw, typename... A, std::size_t... I, typename... Flags>
  [[gnu::always_inline, gnu::no_instrument_function]] raw
  call_back(const R &seed, std::index_sequence<I...>, Flags &...flags) {
    using thunk = enzyme::detail::thunk<const F, R, primal_t<A>...>;
    enzyme::detail::trailing<void *> kept{tape};
    if constexpr (in_memory) {
      set_seed(room.shadow.value, seed);
      return obtain<raw, sizeof...(X) + 1>(
          std::get<I>(slots).annotated()..., kept, (void *)&thunk::callInto, enzyme_const,
          (void *)&f, enzyme_dup, (void *)&room.result, (void *)&room.shadow, flags...);
    } else {
      return obtain<raw, sizeof...(X) + 2>(
          std::get<I>(slots).annotated()..., enzyme::detail::trailing<R>{seed}, kept,
          (void *)&thunk::call, enzyme_const, (void *)&f, flags...);
    }
  }

  template <typename Raw, std::size_t Count, typename... Operands>
  [[gnu::always_inline, gnu::no_instrument_function]] static Raw obtain(Operands &&...operands) {
    if constexpr (enzyme::tuple_size_v<Raw> == 0) {
      enzyme::detail::expand<void, entry_reverse, Count>(std::forward<Operands>(operands)...);
      return {};
    } else {
      return enzyme::detail::expand<Raw, entry_reverse, Count>(std::forward<Operands>(operands)...);
    }
  }

  /// The gradient of one argument; its memory is cleared for the next seed.
  template <std::size_t I, typename Slot, typename Raw> static auto take(Slot &s, Raw &numbers) {
    if constexpr (requires { s.shadow; }) {
      auto gradient = s.shadow;
      detail::clear(s.shadow);
      return std::tuple{std::move(gradient)};
    } else if constexpr (I < enzyme::tuple_size_v<Raw>) {
      return s.gradient(enzyme::get<I>(numbers));
    } else {
      return std::tuple<>{};
    }
  }
  /// Copies a seed into memory that is there. Both have the shape of the result.
  template <typename T> static void set_seed(T &shadow, const T &seed) {
    if constexpr (kind<T>::is_vector)
      for (std::size_t i = 0; i < shadow.size(); ++i)
        set_seed(shadow[i], seed[i]);
    else if constexpr (kind<T>::is_map)
      for (auto &[key, number] : shadow)
        set_seed(number, seed.find(key)->second);
    else if constexpr (kind<T>::is_matrix) // The tape leads to these numbers; a shadow has no size
                                           // of its own.
      std::copy_n(seed.data(), seed.size(), shadow.data());
    else
      shadow = seed;
  }

  const F f;
  std::tuple<X...> x;
  slot_tuple slots;
  std::conditional_t<in_memory, enzyme::detail::result_room<R>, R> room;
  void *tape = nullptr;
  bool used_up = false;
};

template <typename T> struct stored {
  using type = std::remove_cvref_t<T>;
};
template <std::size_t N> struct stored<const char (&)[N]> {
  using type = std::string_view;
};
template <typename T>
  requires std::is_scalar_v<T>
struct stored<constant_argument<T>> {
  using type = kept_constant<std::remove_cv_t<T>>;
};
template <typename X> using stored_t = typename stored<X>::type;

} // namespace detail

/// The way back from the result of \p F at one point: owns the tape, can be moved.
template <typename F, typename R, typename... X> class pullback {
public:
  /// Made by vjp alone.
  explicit pullback(std::unique_ptr<detail::run<F, R, X...>> run) : run(std::move(run)) {}

  /// J(x)^T seed: what grad returns, for the sum of the results times the seed. The seed
  /// has the type (and size) of the result. May be called any number of times.
  auto operator()(const R &seed) & { return run->template pull<true>(seed); }
  /// Likewise, for the last time: `std::move(pullback)(seed)` releases the tape.
  auto operator()(const R &seed) && {
    auto last = std::move(run);
    return last->template pull<false>(seed);
  }

private:
  std::unique_ptr<detail::run<F, R, X...>> run;
};

/// What vjp returns.
template <typename Value, typename Pullback> struct value_and_pullback {
  Value value;       ///< What the function returns.
  Pullback pullback; ///< The way back from it; owns the tape.
};

namespace detail {
/// The way back of a call that is refused.
template <typename Gradient> struct refused_pullback {
  template <typename... Seed> Gradient operator()(Seed &&...) const;
};

template <typename F> struct vjp_of {
  F f;
  template <typename... X> auto operator()(X &&...x) const {
    if constexpr (check_arguments<X...>())
      return start(std::forward<X>(x)...);
    else
      return refuse<refusal<X...>>();
  }

private:
  template <typename... X>
  using refusal =
      value_and_pullback<refused_value<const F, X...>, refused_pullback<refused_gradient<X...>>>;

  template <typename... X> auto start(X &&...x) const {
    constexpr bool is_any = (differentiable<X> || ...);
    static_assert(is_any, "no argument is differentiated");
    constexpr bool is_callable = std::is_invocable_v<const F &, given_t<stored_t<X>>...>;
    static_assert(is_callable || !is_any,
                  "the function cannot be called with these arguments: their number "
                  "or their types differ from its parameters");
    if constexpr (is_callable && is_any) {
      using R = std::remove_cvref_t<std::invoke_result_t<const F &, given_t<stored_t<X>>...>>;
      if constexpr (check_value<R>())
        return made_at<R>(std::forward<X>(x)...);
      else
        return refuse<refusal<X...>>();
    } else {
      return refuse<refusal<X...>>();
    }
  }
  template <typename R, typename... X> auto made_at(X &&...x) const {
    auto made = std::make_unique<run<F, R, stored_t<X>...>>(f, std::forward<X>(x)...);
    R value = made->value();
    using back = isozyme::pullback<F, R, stored_t<X>...>;
    return value_and_pullback<R, back>{std::move(value), back(std::move(made))};
  }
};
} // namespace detail

/// The value of \p f at the arguments, and the way back from it:
///   auto [value, pullback] = vjp(f)(x, y);
///   auto [gx, gy] = pullback(seed);
/// The arguments are copied, except what spans and isozyme::constant refer to: that must
/// live, unchanged, as long as the pullback. (Numbers in isozyme::constant are copied.)
template <typename F>
[[gnu::always_inline, gnu::no_instrument_function]] constexpr detail::vjp_of<detail::kept<F>>
vjp(F &&f) {
  return {std::forward<F>(f)};
}

/// Not to be called: says how it is done.
template <typename F, typename X, typename... More> constexpr auto vjp(F &&, X &&, More &&...) {
  return detail::wants_function_alone<
      F, value_and_pullback<detail::no_derivative, detail::no_derivative>>();
}

} // namespace isozyme

#endif
