// Without tags of types: numbers as keys, which are in a node where the map itself has its count.
// UNSUPPORTED: memcheck-asan
// (What it adds keeps functions from being inlined, and then this count is an error: IZ202.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-Os,-O2/-O3 --keep plan --flag=-std=c++20 --flag=-fno-strict-aliasing %s
#include "check.h"
#include <map>

struct Place {
  double x, y;
};
static double byNumber(const double *in, int n) {
  std::map<double, Place> table;
  for (int i = 0; i < 2 * n; i++)
    table.insert({in[i % n] * (i + 1), Place{in[i % n], in[0]}});
  table.erase(table.begin());
  double sum = 0;
  for (auto &[key, place] : table)
    sum = sin(sum + place.x + key * place.y);
  return sum * double(table.size());
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, byNumber, 6, x, t, 6);
  return finish();
}
