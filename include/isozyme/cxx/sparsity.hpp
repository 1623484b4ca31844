//===- sparsity.hpp - Which results depend on which variables ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns of Jacobians and Hessians, found by sending masks through the code: in
// each variable a bit, in each result the bits of the variables that it depends on.
// A few passes do, each at about the cost of a derivative: first it is found which
// blocks of variables a result depends on, then which parts of these.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_SPARSITY_HPP
#define ISOZYME_CXX_SPARSITY_HPP

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <isozyme/cxx/coloring.hpp>
#include <isozyme/cxx/second.hpp>

// Isozyme replaces every call of it. A link error that names it says that the plugin did
// not run.
template <typename Result, typename... Operands> Result __isozyme_dependence(Operands...);

namespace isozyme {

/// float or double: what has room for a mask.
template <typename T>
concept masked_number =
    std::same_as<std::remove_cvref_t<T>, float> || std::same_as<std::remove_cvref_t<T>, double>;

/// A std::array, std::vector or std::span of float or double: the variables.
template <typename X>
concept variable_list = number_list<X> && !detail::kind<std::remove_cvref_t<X>>::is_matrix &&
                        requires(std::remove_cvref_t<X> &x) {
                          { x[0] } -> masked_number;
                        };

/// A function whose Jacobian has a pattern: it returns a std::array or std::vector of
/// numbers. (A number has a gradient; its second derivatives have a pattern.)
template <typename F, typename X, typename... Rest>
concept list_function =
    std::invocable<const F &, X, detail::held_t<Rest> &...> &&
    variable_list<std::invoke_result_t<const F &, X, detail::held_t<Rest> &...>> &&
    !detail::kind<std::remove_cvref_t<
        std::invoke_result_t<const F &, X, detail::held_t<Rest> &...>>>::is_span;

/// A function whose Hessian has a pattern: it returns a number.
template <typename F, typename X, typename... Rest>
concept number_function = std::invocable<const F &, X, detail::held_t<Rest> &...> &&
                          number<std::invoke_result_t<const F &, X, detail::held_t<Rest> &...>>;

namespace detail {

struct entry_dependence {
  template <typename R, typename... Operands>
  [[gnu::always_inline, gnu::no_instrument_function]] static R call(Operands... operands) {
    return __isozyme_dependence<R>(operands...);
  }
};

/// x, and what stands for its derivative: memory of the same shape, or a vector for a span.
template <typename X, typename V>
[[gnu::always_inline, gnu::no_instrument_function]] inline auto with_derivative(X &x, V &v) {
  using T = std::remove_cv_t<X>;
  if constexpr (kind<T>::is_span)
    return enzyme::Duplicated<T>(
        x, T(const_cast<typename T::element_type *>(std::data(v)), std::size(v)));
  else
    return enzyme::Duplicated<X &>(x, const_cast<X &>(v));
}

/// The results of a function that returns a list, and their derivatives as Entry has them.
template <typename F> struct results_of {
  const F &f;

  template <typename Entry, typename X, typename V, typename... Rest>
  auto along(X &x, V &v, Rest &...rest) const {
    return call<Entry>(f, enzyme::detail::holder(with_derivative(x, v)),
                       enzyme::detail::holder(annotated_constant(rest))...);
  }

private:
  template <typename Entry, typename... A>
  [[gnu::always_inline, gnu::no_instrument_function]] static auto
  call(const F &f, enzyme::detail::holder<A>... h) {
    using R = std::remove_cvref_t<std::invoke_result_t<const F &, enzyme::primal_t<A>...>>;
    enzyme::detail::result_room<R> made;
    enzyme::detail::caller<Entry, const F, R, A...>::by_memory(f, &made.result.value,
                                                               &made.shadow.value, h...);
    return R(std::move(made.shadow.value));
  }
};

/// The gradient of a function that returns a number, and its derivatives.
template <typename F> struct gradient_of {
  const F &f;

  template <typename Entry, typename X, typename V, typename... Rest>
  auto along(X &x, V &v, Rest &...rest) const {
    auto g = zero_like(x), derivative = g;
    gradient_into<F, X, decltype(g), held_t<Rest>...> gradient{f};
    enzyme::Duplicated<decltype(g) &> result(g, derivative);
    call<Entry>(gradient, enzyme::detail::holder(with_derivative(x, v)),
                enzyme::detail::holder(result),
                enzyme::detail::holder(annotated_constant(rest))...);
    return derivative;
  }

private:
  template <typename Entry, typename Gradient, typename... A>
  [[gnu::always_inline, gnu::no_instrument_function]] static void
  call(Gradient &gradient, enzyme::detail::holder<A>... h) {
    enzyme::detail::caller<Entry, Gradient, void, A...>::template by_value<enzyme::tuple<>>(
        gradient, h..., enzyme_const_return);
  }
};

/// Masks have so many bits, whatever the numbers are: those of a float.
inline constexpr int mask_bits = 32;
using mask = std::uint32_t;

template <typename T>
[[gnu::always_inline, gnu::no_instrument_function]] inline T as_number(mask bits) {
  if constexpr (sizeof(T) == sizeof(mask))
    return std::bit_cast<T>(bits);
  else
    return std::bit_cast<T>(static_cast<std::uint64_t>(bits));
}
/// What has no room in a narrower number on the way comes back as all bits.
template <typename T>
[[gnu::always_inline, gnu::no_instrument_function]] inline mask as_mask(const T &number) {
  if constexpr (sizeof(T) == sizeof(mask))
    return std::bit_cast<mask>(number);
  else
    return static_cast<mask>(std::bit_cast<std::uint64_t>(number));
}

/// One pass: \p seeds has a mask for each variable; returns one for each result.
template <typename Map, typename X, typename... Rest>
std::vector<mask> pass_masks(const Map &map, X &x, const std::vector<mask> &seeds, Rest &...rest) {
  using T = std::remove_cvref_t<decltype(x[0])>;
  auto in = zero_like(x);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    in[i] = as_number<T>(seeds[i]);
  auto out = map.template along<entry_dependence>(x, in, rest...);
  std::vector<mask> masks(std::size(out));
  for (std::size_t i = 0; i < masks.size(); ++i)
    masks[i] = as_mask(out[i]);
  return masks;
}

/// A pattern of blocks of \p width columns. \p everywhere: nothing is known yet, each row
/// may have entries in all of them, and each has a color to itself.
struct block_pattern {
  std::size_t width = 1;
  bool everywhere = true;
  sparsity_pattern blocks;
  coloring colors;
};

/// \p entries: rows and columns, in any order, each once.
inline sparsity_pattern pattern_of(const std::vector<std::pair<int, int>> &entries, int rows,
                                   int columns) {
  sparsity_pattern p;
  p.rows = rows;
  p.columns = columns;
  p.starts.assign(rows + 1, 0);
  for (auto [row, column] : entries)
    ++p.starts[row + 1];
  std::partial_sum(p.starts.begin(), p.starts.end(), p.starts.begin());
  p.indices.resize(entries.size());
  std::vector<int> next(p.starts.begin(), p.starts.end() - 1);
  for (auto [row, column] : entries)
    p.indices[next[row]++] = column;
  for (int row = 0; row < rows; ++row)
    std::sort(p.indices.begin() + p.starts[row], p.indices.begin() + p.starts[row + 1]);
  return p;
}

/// One pass for each color of \p coarse; a row has entries in at most one block of a
/// color, so that its bits say in which parts of this block.
template <typename Pass>
sparsity_pattern refine(const block_pattern &coarse, std::size_t columns, Pass &pass) {
  const std::size_t width = coarse.width / mask_bits;
  std::vector<std::pair<int, int>> entries;
  std::vector<mask> seeds(columns), masks;
  for (int color = 0; color < coarse.colors.count; ++color) {
    for (std::size_t j = 0; j < columns; ++j)
      seeds[j] =
          coarse.colors.of[j / coarse.width] == color ? mask(1) << (j % coarse.width / width) : 0;
    masks = pass(seeds);
    for (std::size_t row = 0; row < masks.size(); ++row) {
      if (!masks[row])
        continue;
      int block = color;
      if (!coarse.everywhere)
        for (int e = coarse.blocks.starts[row]; e < coarse.blocks.starts[row + 1]; ++e)
          if (coarse.colors.of[coarse.blocks.indices[e]] == color)
            block = coarse.blocks.indices[e];
      for (mask left = masks[row]; left; left &= left - 1) {
        std::size_t part = std::size_t(block) * mask_bits + std::countr_zero(left);
        if (part * width < columns)
          entries.emplace_back(static_cast<int>(row), static_cast<int>(part));
      }
    }
  }
  return pattern_of(entries, static_cast<int>(masks.size()),
                    static_cast<int>((columns + width - 1) / width));
}

inline block_pattern blocks_everywhere(std::size_t width, std::size_t columns) {
  block_pattern b;
  b.width = width;
  b.colors.count = static_cast<int>((columns + width - 1) / width);
  b.colors.of.resize(b.colors.count);
  std::iota(b.colors.of.begin(), b.colors.of.end(), 0);
  return b;
}

template <typename Pass> sparsity_pattern find_pattern(std::size_t columns, Pass pass) {
  if (columns == 0)
    return pattern_of({}, static_cast<int>(pass({}).size()), 0);
  std::size_t width = mask_bits;
  while (width < columns)
    width *= mask_bits;
  block_pattern known = blocks_everywhere(width, columns);
  for (;;) {
    sparsity_pattern finer = refine(known, columns, pass);
    if (known.width == mask_bits)
      return finer;
    known = {known.width / mask_bits, false, std::move(finer), {}};
    known.colors = color_columns(known.blocks);
    // Where nearly all blocks meet, one after the other is as good.
    if (std::size_t(known.colors.count) * mask_bits >= columns)
      known = blocks_everywhere(mask_bits, columns);
  }
}

/// \p Map: results_of or gradient_of.
template <typename Map, typename X, typename... Rest>
sparsity_pattern pattern_at(const Map &map, X &x, Rest &...rest) {
  return find_pattern(
      x.size(), [&](const std::vector<mask> &seeds) { return pass_masks(map, x, seeds, rest...); });
}

} // namespace detail

/// The pattern of the Jacobian of \p f by its first argument \p x, a list of numbers, if
/// \p f returns a list; that of its Hessian, if \p f returns a number. More arguments are
/// constants.
///
/// It holds wherever the function takes the branches that it takes at \p x: choices by
/// value (std::max, a ? b : c without branch) count with both sides, loops and branches
/// as they run. Unite those of several points with `|` where branches differ.
template <typename F, variable_list X, inert... Rest>
  requires list_function<detail::kept<F>, X, Rest...> ||
           number_function<detail::kept<F>, X, Rest...>
sparsity_pattern sparsity(F &&f, X &&x, Rest &&...rest) {
  typename detail::as_object<detail::kept<F>>::type object{std::forward<F>(f)};
  if constexpr (list_function<detail::kept<F>, X, Rest...>)
    return detail::pattern_at(detail::results_of{object}, x, rest...);
  else
    return detail::pattern_at(detail::gradient_of{object}, x, rest...);
}

} // namespace isozyme

#endif
