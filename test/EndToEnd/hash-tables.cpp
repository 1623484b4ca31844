// Hash tables of libstdc++: header, nodes and buckets point to each other's middle. Nodes inserted, found,
// erased, with and without a hash kept beside the value; sets whose elements are numbers.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <unordered_map>
#include <unordered_set>

static double summed(const double *in, int n) {
  std::unordered_map<int, double> m;
  for (int i = 0; i < 4 * n; i++)
    m[7 * i % 5] += in[i % n] * in[(i + 1) % n];
  double sum = 0;
  for (int k = 0; k < 5; k++)
    sum += (k + 1) * m[k] * m[k];
  return sum;
}
static double erased(const double *in, int n) {
  std::unordered_map<int, double> m;
  m.reserve(8);
  for (int i = 0; i < 12 * n; i++)
    m.emplace(11 * i % 67, in[i % n] * (1 + 0.1 * i));
  for (int i = 0; i < 8 * n; i++)
    m.erase(23 * i % 67);
  double sum = 0;
  for (auto &[key, value] : m)
    sum += key * value * value;
  auto found = m.find(22);
  return found == m.end() ? sum : sum + found->second * in[0];
}
static double several(const double *in, int n) {
  std::unordered_multimap<int, double> m;
  for (int i = 0; i < 3 * n; i++)
    m.insert({i % 4, in[i % n] * i});
  auto [first, last] = m.equal_range(1);
  double sum = 0;
  for (; first != last; ++first)
    sum += first->second * first->second;
  return sum;
}
static double chosen(const double *in, int n) {
  std::unordered_set<int> seen;
  double sum = 0;
  for (int i = 0; i < 4 * n; i++)
    if (seen.insert(i * i % 7).second)
      sum += in[i % n] * in[i % n] * (i + 1);
  return sum;
}
static double counted(const double *in, int n) {
  std::unordered_set<double> values;
  for (int i = 0; i < n; i++)
    values.insert(in[i] * in[0]);
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, summed, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, erased, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, several, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, chosen, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, counted, 6, x, t, 6);
  return finish();
}
