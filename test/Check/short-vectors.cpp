// A std::vector in a shadow that has fewer elements than its counterpart in the argument: in a member, in a member
// of a member, in a vector. The memory behind it may be the vector's own, so nothing else would tell. What no number
// needs may be empty.
// RUN: %clangxx -O0 -g -mllvm -isozyme-check %s -o %t0
// RUN: %clangxx -O2 -g -mllvm -isozyme-check %s -o %t2
// RUN: %t0 fine 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %t0 fine forward 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: not %t0 empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %t0 empty forward 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %t0 short 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %t0 row 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not %t0 rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not --crash %t0 default 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: %t2 fine 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: %t2 fine forward 2>&1 | FileCheck %s --check-prefix=FINE
// RUN: not %t2 empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %t2 empty forward 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %t2 short 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not %t2 row 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: not %t2 rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not --crash %t2 default 2>&1 | FileCheck %s --check-prefix=DEFAULT
#include <cstdio>
#include <isozyme/isozyme.h>
#include <string>
#include <vector>
template <class... A> void __enzyme_autodiff(void *, A...);
template <class... A> double __enzyme_fwddiff(void *, A...);

struct Layer {
  std::vector<double> weights;
  std::vector<std::vector<double>> rows;
};
struct Model {
  double bias;
  Layer layer;
  std::vector<int> scale;
  std::vector<double> unused;
};
static double loss(const Model &m, const double *x) {
  double sum = m.bias;
  for (std::size_t i = 0; i < m.layer.weights.size(); ++i)
    sum += m.layer.weights[i] * m.layer.weights[i] * x[i];
  for (const auto &row : m.layer.rows)
    for (double v : row)
      sum += m.scale[0] * v * v;
  return sum;
}

int main(int argc, char **argv) {
  const std::string word = argv[1];
  Model m{1, {{1, 2, 3}, {{1}, {2, 3}}}, {2}, {1}};
  // Memory of all elements is there.
  Model dm{0, {{0, 0, 0}, {{0}, {0, 0}}}, {}, {}};
  if (word == "empty")
    dm.layer.weights.clear();
  if (word == "short")
    dm.layer.weights.resize(1);
  if (word == "row")
    dm.layer.rows[1].resize(1);
  if (word == "rows")
    dm.layer.rows.reserve(2), dm.layer.rows.resize(1);
  if (word == "default")
    dm = Model();
  const double x[3] = {1, 2, 3};
  // FINE-NOT: element
  // FINE: 1 call checked, 0 wrong
  // EMPTY: isozyme check: a std::vector in a shadow has fewer elements than its counterpart: none for argument 1 (m), element [1][0]
  // SHORT: isozyme check: a std::vector in a shadow has fewer elements than its counterpart: none for argument 1 (m), element [1][1]
  // ROW: isozyme check: a std::vector in a shadow has fewer elements than its counterpart: none for argument 1 (m), element [4][3][1]
  // ROWS: isozyme check: a {{std::vector in a shadow has fewer|pointer in a shadow is null}}
  // DEFAULT: isozyme check: a pointer in a shadow is null, where that of argument 1 (m), element [1][0] should be
  if (argc > 2)
    std::printf("%g\n", __enzyme_fwddiff((void *)loss, enzyme_dup, &m, &dm, enzyme_const, x));
  else
    __enzyme_autodiff((void *)loss, enzyme_dup, &m, &dm, enzyme_const, x);
}
