// Bits of floats sorted as integers, in an array that is declared as one of integers: the copies
// of a part of it counted as copies of integers, and forward mode took numbers for their tangents.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --flag=-std=c++20 --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
static double sorted(const double *x) {
  std::array<uint64_t, 8> keys;
  for (int i = 0; i < 8; i++)
    keys[i] = std::bit_cast<uint64_t>(x[i] * x[i]);
  std::sort(keys.begin(), keys.end());
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += std::bit_cast<double>(keys[i]) * i;
  return sum;
}
int main() {
  double x[8] = {1.1, 0.7, -0.4, 0.9, 1.3, 2.1, -0.2, 0.5}, t[8] = {0.3, -1, 0.5, 0.2, 0.1, -0.7, 1, 0.4};
  double d[8] = {0};
  __enzyme_autodiff<void>((void *)sorted, x, d);
  CHECK_SLOPES("sorted", 8, x, d, sorted(x));
  CHECK_FORWARD("sorted", __enzyme_fwddiff<double>((void *)sorted, x, t), 8, t, d);
  return finish();
}
