// Variants of numbers, pairs and arrays in a vector that grows: records whose last bytes nothing reads or writes are
// copied as a whole, by code of the library that is not inlined at -Os. With -fsanitize=undefined they are an error, as
// docs/limits.md says: its checks take addresses of the records.
// UNSUPPORTED: memcheck-asan
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1/-Os,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <array>
#include <utility>
#include <variant>
#include <vector>

namespace {

using Force = std::variant<double, std::pair<double, double>, std::array<double, 3>>;

double forces(const double *in, int n) {
  std::vector<Force> all;
  for (int i = 0; i < n; i++)
    if (i % 3 == 0)
      all.push_back(Force(in[i] * in[i]));
    else if (i % 3 == 1)
      all.push_back(std::make_pair(in[i], in[i - 1]));
    else
      all.push_back(std::array<double, 3>{in[i], in[i] * in[i - 1], in[i - 2]});
  double sum = 0.5;
  for (const Force &force : all) {
    if (auto *one = std::get_if<0>(&force))
      sum += *one;
    else if (auto *two = std::get_if<1>(&force))
      sum += two->first * two->second;
    else
      sum *= 1 + 0.1 * std::get<2>(force)[1];
  }
  return sum;
}

struct Reading {
  double value;
  int sensor;
  bool valid;
};

double readings(const double *in, int n) {
  std::vector<Reading> all;
  for (int i = 0; i < n; i++)
    all.insert(all.begin() + i / 2, Reading{in[i] * in[(i + 1) % n], i, i % 4 != 3});
  double sum = 0;
  for (const Reading &r : all)
    if (r.valid)
      sum = 0.7 * sum + r.value * r.sensor;
  return sum;
}

} // namespace

int main() {
  double x[7], t[7];
  fill(x, 7, 3, 0.2, 1.2);
  fill(t, 7, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, forces, 7, x, t, 7);
  CHECK_FUNCTION_WITHIN(1e-4, readings, 7, x, t, 7);
  return finish();
}
