//===- sparse.hpp - Sparse Jacobians and Hessians ----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of a sparse matrix of derivatives in a few passes: one for each color of
// its columns, however many there are.
//
//   auto hessian = isozyme::sparse_hessian(f, x);    pattern and coloring, once
//   hessian.pattern()                                .starts, .indices: CSR
//   hessian.evaluate(values, x);                     as often as x changes
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_SPARSE_HPP
#define ISOZYME_CXX_SPARSE_HPP

#include <isozyme/cxx/sparsity.hpp>
#include <span>

namespace isozyme {

/// A matrix in compressed rows: values[e] belongs to entry e of the pattern.
template <typename T> struct sparse_matrix {
  sparsity_pattern pattern; ///< Where the entries are (CSR).
  std::vector<T> values;    ///< One number for each entry of the pattern, in its order.

  /// Zero where the pattern has no entry.
  T operator()(int row, int column) const {
    int e = pattern.find(row, column);
    return e < 0 ? T(0) : values[e];
  }
};

/// Which entries a matrix of second derivatives is wanted with.
enum class triangle { full, lower };

namespace detail {

/// What is read after the pass of each color: entry number `entry` is in `row`.
struct reading {
  int entry, row;
};

/// Passes and what they bring: columns and readings, ordered by color.
struct schedule {
  int colors = 0;
  std::vector<int> column_starts, columns, reading_starts;
  std::vector<reading> readings;

  schedule() = default;
  /// \p pattern of what is wanted; \p color_and_row says for each entry where it is.
  template <typename Find>
  schedule(const sparsity_pattern &pattern, const coloring &c, Find color_and_row)
      : colors(c.count), column_starts(c.count + 1), columns(c.of.size()),
        reading_starts(c.count + 1), readings(pattern.entries()) {
    for (int color : c.of)
      ++column_starts[color + 1];
    std::partial_sum(column_starts.begin(), column_starts.end(), column_starts.begin());
    std::vector<int> next = column_starts;
    for (std::size_t j = 0; j < c.of.size(); ++j)
      columns[next[c.of[j]]++] = static_cast<int>(j);

    std::vector<std::pair<int, int>> places;
    places.reserve(pattern.entries());
    for (int row = 0; row < pattern.rows; ++row)
      for (int e = pattern.starts[row]; e < pattern.starts[row + 1]; ++e)
        places.push_back(color_and_row(row, pattern.indices[e]));
    for (auto [color, row] : places)
      ++reading_starts[color + 1];
    std::partial_sum(reading_starts.begin(), reading_starts.end(), reading_starts.begin());
    next = reading_starts;
    for (std::size_t e = 0; e < places.size(); ++e)
      readings[next[places[e].first]++] = {static_cast<int>(e), places[e].second};
  }
};

inline schedule jacobian_schedule(const sparsity_pattern &p) {
  coloring c = color_columns(p);
  return schedule(p, c, [&](int row, int column) { return std::pair(c.of[column], row); });
}

/// \p wanted is \p full, or a part of it.
inline schedule hessian_schedule(const sparsity_pattern &full, const sparsity_pattern &wanted) {
  coloring c = color_symmetric(full);
  // In how many entries of its row does a color occur? (Twice counts as often.)
  std::vector<bool> alone(full.entries());
  std::vector<int> count(c.count);
  for (int row = 0; row < full.rows; ++row) {
    for (int e = full.starts[row]; e < full.starts[row + 1]; ++e)
      ++count[c.of[full.indices[e]]];
    for (int e = full.starts[row]; e < full.starts[row + 1]; ++e)
      alone[e] = count[c.of[full.indices[e]]] == 1;
    for (int e = full.starts[row]; e < full.starts[row + 1]; ++e)
      count[c.of[full.indices[e]]] = 0;
  }
  return schedule(wanted, c, [&](int row, int column) {
    return alone[full.find(row, column)] ? std::pair(c.of[column], row)
                                         : std::pair(c.of[row], column);
  });
}

/// Runs all passes of \p map at \p x and puts what they bring into \p values.
template <typename Map, typename T, typename X, typename... Rest>
void run_schedule(const schedule &s, const Map &map, std::span<T> values, X &x, Rest &...rest) {
  auto v = zero_like(x);
  for (int color = 0; color < s.colors; ++color) {
    for (int k = s.column_starts[color]; k < s.column_starts[color + 1]; ++k)
      v[s.columns[k]] = 1;
    auto tangent = map.template along<enzyme::detail::entry_fwddiff>(x, v, rest...);
    for (int k = s.reading_starts[color]; k < s.reading_starts[color + 1]; ++k)
      values[s.readings[k].entry] = tangent[s.readings[k].row];
    for (int k = s.column_starts[color]; k < s.column_starts[color + 1]; ++k)
      v[s.columns[k]] = 0;
  }
}

/// What Jacobians and Hessians have in common: F is an object that is called.
template <typename F> class sparse_evaluator {
public:
  /// Where the matrix has entries.
  const sparsity_pattern &pattern() const { return wanted; }
  /// How many passes an evaluation takes: the number of colors.
  int passes() const { return plan.colors; }

protected:
  sparse_evaluator(F f, sparsity_pattern p) : f(std::move(f)), wanted(std::move(p)) {}

  template <typename X> void check(const X &x, std::size_t values) const {
    if (x.size() != static_cast<std::size_t>(wanted.columns))
      fail_use("the sparse matrix was made for another number of variables");
    if (values < wanted.entries())
      fail_use("the values of a sparse matrix want a place for each entry of its pattern");
  }

  F f;
  sparsity_pattern wanted;
  schedule plan;
};

template <typename F> class sparse_jacobian_of : public sparse_evaluator<F> {
public:
  sparse_jacobian_of(F f, sparsity_pattern p) : sparse_evaluator<F>(std::move(f), std::move(p)) {
    this->plan = jacobian_schedule(this->wanted);
  }

  /// Puts the entries at \p x into \p values, in the order of the pattern.
  template <typename T, variable_list X, inert... Rest>
    requires list_function<F, X, Rest...>
  void evaluate(std::span<T> values, X &&x, Rest &&...rest) const {
    this->check(x, values.size());
    run_schedule(this->plan, results_of<F>{this->f}, values, x, rest...);
  }
  template <variable_list X, inert... Rest>
    requires list_function<F, X, Rest...>
  auto operator()(X &&x, Rest &&...rest) const {
    sparse_matrix<std::remove_cvref_t<decltype(x[0])>> m{this->wanted, {}};
    m.values.resize(m.pattern.entries());
    evaluate(std::span(m.values), x, rest...);
    return m;
  }
};

template <typename F> class sparse_hessian_of : public sparse_evaluator<F> {
public:
  sparse_hessian_of(F f, const sparsity_pattern &full, triangle part)
      : sparse_evaluator<F>(std::move(f), part == triangle::lower ? full.lower() : full) {
    this->plan = hessian_schedule(full, this->wanted);
  }

  /// Puts the entries at \p x into \p values, in the order of the pattern.
  template <typename T, variable_list X, inert... Rest>
    requires number_function<F, X, Rest...>
  void evaluate(std::span<T> values, X &&x, Rest &&...rest) const {
    this->check(x, values.size());
    run_schedule(this->plan, gradient_of<F>{this->f}, values, x, rest...);
  }
  template <variable_list X, inert... Rest>
    requires number_function<F, X, Rest...>
  auto operator()(X &&x, Rest &&...rest) const {
    sparse_matrix<std::remove_cvref_t<decltype(x[0])>> m{this->wanted, {}};
    m.values.resize(m.pattern.entries());
    evaluate(std::span(m.values), x, rest...);
    return m;
  }
};

template <typename F> using object_of = typename as_object<kept<F>>::type;

} // namespace detail

/// The Jacobian of \p f, which returns a list of numbers, by its first argument: finds
/// pattern and coloring at \p x. The result is called with x, as often as wanted, for a
/// sparse_matrix; `.evaluate(values, x)` reuses memory. Costs `.passes()` jvps each time.
template <typename F, variable_list X, inert... Rest>
  requires list_function<detail::kept<F>, X, Rest...>
auto sparse_jacobian(F &&f, X &&x, Rest &&...rest) {
  detail::object_of<F> object{std::forward<F>(f)};
  sparsity_pattern p = detail::pattern_at(detail::results_of{object}, x, rest...);
  return detail::sparse_jacobian_of<detail::object_of<F>>(std::move(object), std::move(p));
}
/// Likewise, of a function whose pattern is known.
template <typename F> auto sparse_jacobian(F &&f, sparsity_pattern pattern) {
  return detail::sparse_jacobian_of<detail::object_of<F>>({std::forward<F>(f)},
                                                          std::move(pattern));
}

/// The Hessian of \p f, which returns a number, by its first argument, all of it.
template <typename F, variable_list X, inert... Rest>
  requires number_function<detail::kept<F>, X, Rest...>
auto sparse_hessian(F &&f, X &&x, Rest &&...rest) {
  detail::object_of<F> object{std::forward<F>(f)};
  sparsity_pattern p = detail::pattern_at(detail::gradient_of{object}, x, rest...);
  return detail::sparse_hessian_of<detail::object_of<F>>(std::move(object), p | p.transposed(),
                                                         triangle::full);
}
/// Its lower triangle, as optimisers such as IPOPT want it.
template <typename F, variable_list X, inert... Rest>
  requires number_function<detail::kept<F>, X, Rest...>
auto sparse_lower_hessian(F &&f, X &&x, Rest &&...rest) {
  detail::object_of<F> object{std::forward<F>(f)};
  sparsity_pattern p = detail::pattern_at(detail::gradient_of{object}, x, rest...);
  return detail::sparse_hessian_of<detail::object_of<F>>(std::move(object), p | p.transposed(),
                                                         triangle::lower);
}
/// Of a function whose pattern is known; \p full is the whole of it, which is symmetric.
template <typename F>
auto sparse_hessian(F &&f, const sparsity_pattern &full, triangle part = triangle::full) {
  return detail::sparse_hessian_of<detail::object_of<F>>({std::forward<F>(f)}, full, part);
}

} // namespace isozyme

#endif
