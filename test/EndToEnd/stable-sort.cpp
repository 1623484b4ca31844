// std::stable_sort of numbers and of records with arrays and flags. Its buffer comes from a function that returns an
// address beside a number, which stays a function with -Os.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1,-O2,-Os --keep plan --flag=-std=c++20 --flag=-Wno-deprecated-declarations %s
#include "check.h"
#include <algorithm>
#include <array>
#include <vector>

enum class Kind { First, Second };
struct Reading {
  std::array<double, 3> values;
  bool on;
  Kind kind;
};
static double byKind(const double *x, int n) {
  std::vector<Reading> all;
  for (int i = 0; i < n; i++)
    all.push_back({{x[i] * x[i], x[0], 1.0}, i % 2 == 0, 7 * i % 5 > 2 ? Kind::First : Kind::Second});
  std::stable_sort(all.begin(), all.end(), [](const Reading &a, const Reading &b) { return a.kind < b.kind; });
  double sum = 0, weight = 1;
  for (const Reading &r : all)
    sum += (weight *= 0.9) * r.values[0] * (r.on ? r.values[1] : 1);
  return sum;
}
struct Particle {
  double mass, at[2];
  int number;
};
static double byPlace(const double *x, int n) {
  std::vector<Particle> all;
  for (int i = 0; i < 3 * n; i++)
    all.push_back({x[i % n], {x[i % n] * x[(i + 1) % n], 2.0}, 7 * i % 5});
  std::stable_sort(all.begin(), all.end(), [](const Particle &a, const Particle &b) { return a.at[0] < b.at[0]; });
  double sum = 0, weight = 1;
  for (const Particle &p : all)
    sum += (weight *= 0.9) * p.mass * p.at[0] * p.number;
  return sum;
}
static double numbers(const double *x, int n) {
  std::vector<double> all(x, x + n);
  std::stable_sort(all.begin(), all.end());
  double sum = 0, weight = 1;
  for (double value : all)
    sum += (weight *= 0.9) * value * value;
  return sum;
}

int main() {
  double x[5] = {3, 1.25, 2, 0.5, 1.75}, t[5] = {1, -2, 0.5, 3, -1};
  CHECK_FUNCTION(byKind, 5, x, t, 5);
  CHECK_FUNCTION(byPlace, 5, x, t, 5);
  CHECK_FUNCTION(numbers, 5, x, t, 5);
  return finish();
}
