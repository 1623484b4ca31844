// With -g, the locals of inlined functions have records that tell where they are assigned to. A derivative shared them
// with the code that it was made of, which the verifier refused.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --keep plan --flag=-g --flag=-std=c++20 %s
#include "../EndToEnd/check.h"
#include <map>
#include <vector>

static double byRemainder(const std::vector<double> &v, int n, double a) {
  std::map<int, double> table;
  for (int i = 0; i < n + 3; i++)
    table[i % 4] += v[i % v.size()] * a;
  if (n % 3 == 0)
    table.erase(0);
  double sum = a;
  for (auto &[key, p] : table)
    sum = sin((0.1 * p - 0.2 * sum) * sqrt(1.5 + sin(0.1 * p)));
  if (auto found = table.find(1); found != table.end())
    sum += found->second * 0.9;
  return sum;
}

static double sum(const double *in, int n) {
  std::vector<double> v(in, in + n);
  double s = 0.5;
  for (int i = 0; i < 2; i++)
    v[i] = s = byRemainder(v, n, s);
  s += byRemainder(v, n + 1, s) * byRemainder(v, n + 2, 0.3);
  for (double x : v)
    s += x;
  return s;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.5, 1.5);
  fill(t, 6, 4, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, sum, 6, x, t, 6);
  return finish();
}
