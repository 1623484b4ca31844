// Records that are inserted in a hash table, in a pair.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --keep=plan --flag=-std=c++20 %s
#include "check.h"
#include <unordered_map>

struct Record {
  double a, b;
  int number;
};
static Record made(const double *in, int n, int i) { return {in[i % n], in[(i + 1) % n] * i, i}; }

static double inserted(const double *in, int n) {
  std::unordered_map<int, Record> records;
  for (int i = 0; i < 3 * n; i++)
    records.insert({11 * i % 17, made(in, n, i)});
  double sum = 0;
  for (auto &[key, r] : records)
    sum += key * r.a * r.b + r.number * r.a;
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.5, 1.5);
  fill(t, 6, 4, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, inserted, 6, x, t, 6);
  return finish();
}
