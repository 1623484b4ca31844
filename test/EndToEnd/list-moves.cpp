// Lists that are moved: the header has a count of elements where the nodes have their numbers. And bits of a number
// that are written through a pointer from memory to where a local record declares an integer: they stay a number.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <list>
#include <vector>

static double moved(const double *in, int n) {
  std::list<double> first;
  for (int i = 0; i < n; i++)
    first.push_back(in[i] * in[i]);
  auto second = std::move(first);
  second.push_back(in[0]);
  double sum = 0;
  for (double x : second)
    sum = sin(sum + x * in[1]);
  return sum * double(second.size());
}

struct Cell {
  long kind, bits;
};
static double kept(const double *in, int n) {
  Cell local = {0, 0}, result = {0, 0};
  std::vector<Cell *> stack = {&local, &result};
  double product = in[0] * in[n - 1];
  memcpy(&stack[0]->bits, &product, sizeof product);
  result.bits = local.bits;
  double again;
  memcpy(&again, &stack[1]->bits, sizeof again);
  return again * in[1];
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, moved, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, kept, 6, x, t, 6);
  return finish();
}
