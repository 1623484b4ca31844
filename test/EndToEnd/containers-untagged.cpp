// Without tags of types: maps with strings as keys, where the header has its count where nodes have the address of the
// key's letters, and lists, where nodes have their numbers there. What an object counts in place is a number.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-Os,-O2/-O3 --keep plan --flag=-std=c++20 --flag=-fno-strict-aliasing %s
#include "check.h"
#include <list>
#include <map>
#include <set>
#include <string>

static double named(const double *in, int n) {
  std::map<std::string, double> m;
  for (int i = 0; i < 3 * n; i++)
    m[std::to_string(2 * i % 4)] += in[i % n] * in[0];
  if (n % 2 == 0)
    m.erase("2");
  double sum = 0;
  for (auto &[name, value] : m)
    sum = sin(sum + value * in[1]);
  if (auto found = m.find("0"); found != m.end())
    sum += found->second * double(m.size());
  return sum;
}

static double listed(const double *in, int n) {
  std::list<double> list;
  for (int i = 0; i < n; i++)
    list.push_back(in[i] * in[0]);
  for (int i = 0; i < n; i++) {
    list.push_back(list.front() * list.back());
    if (n % 3 == 0)
      list.pop_front();
  }
  double sum = 0;
  for (double p : list)
    sum = sin(sum + p * in[1]);
  return sum * double(list.size());
}

// Records in a set: floats are named before code is optimised.
struct Item {
  double value;
  int number;
  bool operator<(const Item &other) const { return value < other.value; }
};
static double sorted(const double *in, int n) {
  std::set<Item> all;
  for (int i = 0; i < n; i++)
    all.insert({in[i] * in[i], i});
  double sum = 0, weight = 1;
  for (const Item &item : all)
    sum += (weight *= 0.9) * item.value * (item.number + 1);
  return sum;
}

// A walk down a tree chooses between the children of a node by a number of bytes, at -O3 in a block of its own.
static double forgotten(const double *in, int n) {
  std::map<int, double> table;
  for (int i = 0; i < 2 * n; i++)
    table[i % 7] += in[i % n] * in[0];
  table.erase(3);
  table.erase(8);
  double sum = 0;
  for (auto &[key, value] : table)
    sum = sin(sum * value + key);
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, named, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, listed, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, sorted, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, forgotten, 6, x, t, 6);
  return finish();
}
