//===- coloring.hpp - Sparse patterns and their colorings --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of one color are found in one pass: no row has entries in two of them. In a
// symmetric matrix fewer colors do, since an entry may be read from its mirror image.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_COLORING_HPP
#define ISOZYME_CXX_COLORING_HPP

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace isozyme {

/// Where a matrix may have entries, in compressed rows (CSR), counted from 0.
struct sparsity_pattern {
  int rows = 0;    ///< How many rows the matrix has.
  int columns = 0; ///< How many columns it has.
  /// Row r has entries number starts[r] to starts[r + 1] - 1: rows + 1 numbers.
  std::vector<int> starts{0};
  /// The column of each entry; ascending in each row.
  std::vector<int> indices;

  /// Same shape, same entries.
  bool operator==(const sparsity_pattern &) const = default;
  /// How many entries there are.
  std::size_t entries() const { return indices.size(); }

  /// The number of the entry in that place; -1 if there is none.
  int find(int row, int column) const {
    auto first = indices.begin() + starts[row], last = indices.begin() + starts[row + 1];
    auto at = std::lower_bound(first, last, column);
    return at != last && *at == column ? static_cast<int>(at - indices.begin()) : -1;
  }

  /// The row of each entry: with `indices`, the triplets that IPOPT and others take.
  std::vector<int> row_indices() const {
    std::vector<int> all;
    for (int row = 0; row < rows; ++row)
      all.insert(all.end(), starts[row + 1] - starts[row], row);
    return all;
  }

  /// The entries on and below the diagonal.
  sparsity_pattern lower() const {
    sparsity_pattern l;
    l.rows = rows;
    l.columns = columns;
    for (int row = 0; row < rows; ++row) {
      for (int e = starts[row]; e < starts[row + 1] && indices[e] <= row; ++e)
        l.indices.push_back(indices[e]);
      l.starts.push_back(static_cast<int>(l.indices.size()));
    }
    return l;
  }

  /// The pattern of the transposed matrix.
  sparsity_pattern transposed() const {
    sparsity_pattern t;
    t.rows = columns;
    t.columns = rows;
    t.starts.assign(columns + 1, 0);
    for (int column : indices)
      ++t.starts[column + 1];
    std::partial_sum(t.starts.begin(), t.starts.end(), t.starts.begin());
    t.indices.resize(indices.size());
    std::vector<int> next(t.starts.begin(), t.starts.end() - 1);
    for (int row = 0; row < rows; ++row)
      for (int e = starts[row]; e < starts[row + 1]; ++e)
        t.indices[next[indices[e]]++] = row;
    return t;
  }
};

/// The entries of either; both are patterns of matrices of one size.
inline sparsity_pattern operator|(const sparsity_pattern &a, const sparsity_pattern &b) {
  sparsity_pattern both;
  both.rows = std::max(a.rows, b.rows);
  both.columns = std::max(a.columns, b.columns);
  auto row = [](const sparsity_pattern &p, int r) {
    int first = r < p.rows ? p.starts[r] : 0, last = r < p.rows ? p.starts[r + 1] : 0;
    return std::pair(p.indices.begin() + first, p.indices.begin() + last);
  };
  for (int r = 0; r < both.rows; ++r) {
    auto [a1, a2] = row(a, r);
    auto [b1, b2] = row(b, r);
    std::set_union(a1, a2, b1, b2, std::back_inserter(both.indices));
    both.starts.push_back(static_cast<int>(both.indices.size()));
  }
  return both;
}

/// A color for each column, 0 to count - 1.
struct coloring {
  int count = 0;       ///< How many colors there are.
  std::vector<int> of; ///< The color of each column.
};

namespace detail {

/// The columns with the most entries first: they have the least choice.
inline std::vector<int> busiest_first(const sparsity_pattern &by_column) {
  std::vector<int> order(by_column.rows);
  std::iota(order.begin(), order.end(), 0);
  auto count = [&](int c) { return by_column.starts[c + 1] - by_column.starts[c]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return count(a) != count(b) ? count(a) > count(b) : a < b;
  });
  return order;
}

/// The least color that \p forbidden does not have for \p column.
inline void take_color(coloring &c, const std::vector<int> &forbidden, int column) {
  int color = 0;
  while (forbidden[color] == column)
    ++color;
  c.of[column] = color;
  c.count = std::max(c.count, color + 1);
}

} // namespace detail

/// Columns of one color have no row in common (a distance-2 coloring): J times the sum of
/// their unit vectors has all their entries.
inline coloring color_columns(const sparsity_pattern &p) {
  coloring c{0, std::vector<int>(p.columns, -1)};
  std::vector<int> forbidden(p.columns + 1, -1);
  const sparsity_pattern by_column = p.transposed();
  for (int column : detail::busiest_first(by_column)) {
    for (int e = by_column.starts[column]; e < by_column.starts[column + 1]; ++e) {
      int row = by_column.indices[e];
      for (int k = p.starts[row]; k < p.starts[row + 1]; ++k)
        if (c.of[p.indices[k]] >= 0)
          forbidden[c.of[p.indices[k]]] = column;
    }
    detail::take_color(c, forbidden, column);
  }
  return c;
}

/// For a symmetric pattern: neighbors differ, and no path of four columns has only two
/// colors (a star coloring). So of the entries (i, j) and (j, i) one at least is alone in
/// its row with its color.
inline coloring color_symmetric(const sparsity_pattern &p) {
  coloring c{0, std::vector<int>(p.columns, -1)};
  std::vector<int> forbidden(p.columns + 1, -1);
  auto for_neighbors = [&](int column, auto &&body) {
    for (int e = p.starts[column]; e < p.starts[column + 1]; ++e)
      if (p.indices[e] != column)
        body(p.indices[e]);
  };
  std::vector<int> used(p.columns + 1); // How many columns have a color.
  for (int v : detail::busiest_first(p)) {
    for_neighbors(v, [&](int w) {
      if (c.of[w] >= 0)
        forbidden[c.of[w]] = v;
      // No path by way of w comes to its color again: an arrow's head has many neighbors.
      if (c.of[w] >= 0 && used[c.of[w]] == 1)
        return;
      for_neighbors(w, [&](int x) {
        if (c.of[x] < 0 || x == v || forbidden[c.of[x]] == v)
          return;
        bool closes = c.of[w] < 0;
        if (!closes)
          for_neighbors(x, [&](int y) { closes |= y != w && c.of[y] == c.of[w]; });
        if (closes)
          forbidden[c.of[x]] = v;
      });
    });
    detail::take_color(c, forbidden, v);
    ++used[c.of[v]];
  }
  return c;
}

} // namespace isozyme

#endif
