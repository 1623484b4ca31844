// std::map, std::multimap and std::list: libstdc++ links their nodes in functions that
// have no body in the program. Nodes inserted, found, erased, moved, sorted; both ways through.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1/-O2 --keep plan --flag=-std=c++20 %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-O2 --keep plan --flag=-std=c++20 --flag=-DSIZES %s
#include "check.h"
#include <list>
#include <map>
#include <utility>

static double summed(const double *in, int n) {
  std::map<int, double> m;
  for (int i = 0; i < 4 * n; i++)
    m[7 * i % 5] += in[i % n] * in[(i + 1) % n];
  double sum = 0;
  for (auto &[key, value] : m)
    sum += (key + 1) * value * value;
  return sum;
}
static double queued(const double *in, int n) {
  std::list<double> list;
  for (int i = 0; i < n; i++)
    list.push_back(in[i] * in[i]);
  list.push_front(in[0] * in[1]);
  double sum = 0, weight = list.size();
  for (double v : list)
    sum += (weight *= 0.9) * v * v;
  return sum;
}
static double erased(const double *in, int n) {
  std::map<int, double> m;
  for (int i = 0; i < 12 * n; i++)
    m[11 * i % 67] = in[i % n] * (1 + 0.1 * i);
  for (int i = 0; i < 8 * n; i++)
    m.erase(23 * i % 67);
  double sum = 0;
  for (auto it = m.rbegin(); it != m.rend(); ++it)
    sum = 0.5 * sum + it->first * it->second * it->second;
  auto found = m.lower_bound(30);
  return found == m.end() ? sum : sum + found->second * std::prev(m.end())->second;
}
static double counted(const double *in, int n) {
  std::map<double, int> m;
  for (int i = 0; i < n; i++)
    m.emplace(in[i] * in[0], i);
  double sum = 0;
  for (auto &[key, number] : m)
    sum = 0.5 * sum + key * number;
  return sum;
}
#ifdef SIZES // Else their sizes, which lie where nodes have numbers, cannot be told from those.
static double ordered(const double *in, int n) { // The keys are numbers.
  std::multimap<double, double> m;
  for (int i = 0; i < n; i++) {
    m.emplace(in[i] * in[i], in[(i + 1) % n]);
    m.emplace(in[i], in[(i + 2) % n]);
  }
  double sum = 0, weight = 1;
  for (auto &[key, value] : m)
    sum += (weight *= 0.9) * key * value;
  return sum;
}
static double linked(const double *in, int n) {
  std::list<double> a(in, in + n), b;
  for (int i = 0; i < n; i++)
    b.push_front(in[i] * in[(i + 1) % n]);
  b.erase(std::next(b.begin()));
  a.splice(std::next(a.begin(), 2), b, b.begin(), std::next(b.begin(), 2));
  a.reverse();
  std::swap(a, b);
  a.sort();
  b.remove_if([](double v) { return v > 1.2; });
  b.insert(b.end(), 2, in[0] * in[0]);
  double sum = 0, weight = 1;
  for (double v : a)
    sum += (weight *= 0.9) * v * v;
  for (double v : b)
    sum += (weight *= 1.3) * v * v;
  return sum;
}
#endif
int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, summed, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, erased, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, counted, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, queued, 6, x, t, 6);
#ifdef SIZES
  CHECK_FUNCTION_WITHIN(1e-4, ordered, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, linked, 6, x, t, 6);
#endif
  return finish();
}
