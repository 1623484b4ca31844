// Records of a number and an integer in vectors: erased, inserted, sorted. They are moved by the distance of
// two pointers.
// UNSUPPORTED: memcheck-asan
// (What it adds keeps functions from being inlined, and then these moves are an error: IZ203.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2,-O1/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <algorithm>
#include <string>
#include <vector>

struct Reading {
  double value;
  int number;
};
static double weighted(const std::vector<Reading> &v) {
  double sum = 0, weight = 1;
  for (const Reading &r : v)
    sum += (weight *= 0.9) * r.value * r.value * r.number;
  return sum;
}
static double edited(const double *in, int n) {
  std::vector<Reading> v;
  for (int i = 0; i < n; i++)
    v.push_back({in[i], i});
  v.erase(v.begin() + 1);
  v.insert(v.begin(), Reading{in[0] * in[1], 3});
  return weighted(v);
}
// The size of these records, 24 bytes, is no power of two.
struct Spread {
  double a;
  int number;
  double b;
};
static double between(const double *in, int n) {
  std::vector<Spread> v;
  for (int i = 0; i < 2 * n; i++)
    v.insert(v.begin() + i / 2, Spread{in[i % n], i, in[0]});
  v.erase(v.begin() + 1, v.begin() + 3);
  double sum = 0, weight = 1;
  for (const Spread &t : v)
    sum += (weight *= 0.9) * t.a * t.b * t.a * t.number;
  return sum;
}
static double sorted(const double *in, int n) {
  std::vector<Reading> v;
  for (int i = 0; i < 4 * n; i++)
    v.push_back({in[i % n] * in[(i + 1) % n], 7 * i % 11});
  std::sort(v.begin(), v.end(), [](const Reading &a, const Reading &b) { return a.number < b.number; });
  return weighted(v);
}
// Sorting takes a dozen temporaries, which copy records to and from both ends.
static std::vector<Spread> spread(const double *in, int n) {
  std::vector<Spread> v;
  for (int i = 0; i < 4 * n; i++)
    v.push_back({in[i % n] * in[(i + 1) % n], 7 * i % 11, in[0]});
  return v;
}
static double total(const std::vector<Spread> &v) {
  double sum = 0;
  for (const Spread &r : v)
    sum = sum * 0.9 + r.a * r.b * r.number;
  return sum;
}
static double spreadSorted(const double *in, int n) {
  std::vector<Spread> v = spread(in, n);
  std::sort(v.begin(), v.end(), [](const Spread &a, const Spread &b) { return a.a < b.a; });
  return total(v);
}
static double inOrder(const double *in, int n) {
  std::vector<Spread> v = spread(in, n);
  std::stable_sort(v.begin(), v.end(), [](const Spread &a, const Spread &b) { return a.number < b.number; });
  return total(v);
}
// A copy of the last one in front of the first: there may be none, for all that this function knows.
struct Trace {
  double value;
  std::vector<double> before;
};
static double repeated(const double *in, int n) {
  std::vector<Trace> traces;
  for (int i = 0; i < n; i++)
    traces.push_back({in[i] * in[0], {in[i], in[i] * in[i]}});
  traces.insert(traces.begin(), traces.back());
  double sum = 0;
  for (const Trace &trace : traces)
    sum = sin(sum) + trace.value * trace.before[1];
  return sum;
}

// With a name, which is assigned from that of a copy on the stack.
struct NamedTrace {
  std::string name;
  double value;
  std::vector<double> before;
};
static double named(const double *in, int n) {
  std::vector<NamedTrace> traces;
  for (int i = 0; i < n; i++)
    traces.push_back({"trace number " + std::to_string(i), in[i] * in[0], {in[i], in[i] * in[i]}});
  traces.insert(traces.begin(), traces.back());
  traces.erase(traces.begin() + 2);
  double sum = 0;
  for (const NamedTrace &trace : traces)
    sum = sin(sum) + trace.value * trace.before[1] * trace.name.size();
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, edited, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, between, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, sorted, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, spreadSorted, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, inOrder, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, repeated, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, named, 6, x, t, 6);
  return finish();
}
