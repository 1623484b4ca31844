// Colorings of random patterns are what they promise: columns of a color meet in no row; a star
// coloring has no path of two colors, and each entry or its mirror image is alone in its row.
// RUN: %clangxx_bin -std=c++20 -O1 -I%include %s -o %t
// RUN: %t
#include "check.h"
#include <isozyme/cxx/coloring.hpp>

using namespace isozyme;

static sparsity_pattern random(unsigned seed, bool symmetric) {
  auto next = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  int n = int(3 + next() % 14), m = symmetric ? n : int(3 + next() % 14);
  bool diagonal = next() % 2, arrow = next() % 3 == 0;
  std::vector<std::vector<char>> has(n, std::vector<char>(m));
  auto set = [&](unsigned i, unsigned j) {
    has[i][j] = 1;
    if (symmetric)
      has[j][i] = 1;
  };
  for (unsigned k = next() % (2 * n); k; --k) {
    unsigned row = next() % n;
    set(row, next() % m);
  }
  for (int i = 0; i < std::min(n, m); ++i) {
    if (diagonal)
      set(i, i);
    if (arrow)
      set(0, i);
  }
  sparsity_pattern p;
  p.rows = n;
  p.columns = m;
  for (const std::vector<char> &row : has) {
    for (int j = 0; j < m; ++j)
      if (row[j])
        p.indices.push_back(j);
    p.starts.push_back(int(p.indices.size()));
  }
  return p;
}

/// How many entries of row \p r have color \p color?
static int inRow(const sparsity_pattern &p, const coloring &c, int r, int color) {
  int count = 0;
  for (int e = p.starts[r]; e < p.starts[r + 1]; ++e)
    count += c.of[p.indices[e]] == color;
  return count;
}
static void checkColumns(const sparsity_pattern &p) {
  coloring c = color_columns(p);
  for (int r = 0; r < p.rows; ++r)
    for (int color = 0; color < c.count; ++color)
      failures += inRow(p, c, r, color) > 1;
}
static void checkSymmetric(const sparsity_pattern &p) {
  coloring c = color_symmetric(p);
  auto edge = [&](int i, int j) { return i != j && p.find(i, j) >= 0; };
  const int n = p.rows;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (p.find(i, j) >= 0)
        failures += inRow(p, c, i, c.of[j]) > 1 && inRow(p, c, j, c.of[i]) > 1;
      if (!edge(i, j))
        continue;
      failures += c.of[i] == c.of[j];
      for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l)
          if (k != i && l != j && edge(j, k) && edge(k, l) && l != i)
            failures += c.of[i] == c.of[k] && c.of[j] == c.of[l];
    }
}

int main() {
  for (unsigned seed = 0; seed < 300; ++seed) {
    checkColumns(random(seed, false));
    sparsity_pattern p = random(seed, true);
    failures += p != p.transposed() || (p.lower() | p.lower().transposed()) != p;
    checkSymmetric(p);
  }
  return finish();
}
