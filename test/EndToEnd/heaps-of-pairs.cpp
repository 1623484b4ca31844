// Heaps of a float and an integer: a pair of them is one word, which is moved through choices and handed to functions
// that only store it, or one of two such words. Differences of the same with doubles tell what is right.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1,-O2/-O3,-Os --keep plan --flag=-std=c++20 %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2/-Os --keep plan --flag=-std=c++20 --flag=-fno-strict-aliasing --flag=-DUNTOLD %s
#include "check.h"
#include <algorithm>
#include <vector>

template <class Real> struct KeyFirst {
  Real key;
  int count;
  double weight() const { return 1; }
};
template <class Real> struct KeyLast {
  int count;
  Real key;
  double weight() const { return 1; }
};
template <class Real> struct Weighted {
  Real key, factor;
  int count;
  double weight() const { return factor; }
};
template <class Real> struct Heavy {
  Real key, width, height;
  int count;
  double weight() const { return width * height; }
};

template <class Item> static double drained(const std::vector<Item> &items) {
  auto less = [](const Item &a, const Item &b) { return a.key < b.key; };
  std::vector<Item> heap, some = items;
  for (const Item &item : items) {
    heap.push_back(item);
    std::push_heap(heap.begin(), heap.end(), less);
  }
  double sum = 0;
  int place = 1;
  while (heap.size() > 2) {
    std::pop_heap(heap.begin(), heap.end(), less);
    Item largest = heap.back();
    heap.pop_back();
    sum += place++ * (largest.key * largest.weight() + largest.count * largest.key);
  }
  std::sort_heap(heap.begin(), heap.end(), less);
  for (const Item &item : heap)
    sum += place++ * item.key * item.key * item.count;
  std::partial_sort(some.begin(), some.begin() + 2, some.end(), less);
  return sum + some[1].key * some[0].key * some[0].count;
}

template <class Real> static double first(const double *in, int n) {
  std::vector<KeyFirst<Real>> items;
  for (int i = 0; i < n; i++)
    items.push_back({Real(in[i] * in[i]), i});
  return drained(items);
}
template <class Real> static double last(const double *in, int n) {
  std::vector<KeyLast<Real>> items;
  for (int i = 0; i < n; i++)
    items.push_back({i, Real(in[i] * in[0])});
  return drained(items);
}
template <class Real> static double weighted(const double *in, int n) {
  std::vector<Weighted<Real>> items;
  for (int i = 0; i < n; i++)
    items.push_back({Real(in[i]), Real(in[0] * in[i]), i});
  return drained(items);
}
template <class Real> static double heavy(const double *in, int n) {
  std::vector<Heavy<Real>> items;
  for (int i = 0; i < n; i++)
    items.push_back({Real(in[i]), Real(in[0]), Real(in[i] * in[1]), i});
  return drained(items);
}

using Function = double(const double *, int);
static void compare(const char *name, Function *withDoubles, const double *gradient, double tangent, double *x,
                    const double *t) {
  for (int i = 0; i < 6; i++)
    checkWithin(name, i, gradient[i], SLOPE_WITHIN(1e-3, x[i], withDoubles(x, 6)), 2e-5, 2e-5);
  checkWithin("forward", -1, tangent, innerProduct(t, gradient, 6), 2e-5, 2e-5);
}

int main() {
  double x[6], t[6], byFirst[6] = {0}, byLast[6] = {0}, byWeighted[6] = {0}, byHeavy[6] = {0};
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  GRADIENT_OF((void *)first<float>, x, byFirst, 6);
  compare("first", first<double>, byFirst, TANGENT_OF((void *)first<float>, x, t, 6), x, t);
  GRADIENT_OF((void *)last<float>, x, byLast, 6);
  compare("last", last<double>, byLast, TANGENT_OF((void *)last<float>, x, t, 6), x, t);
  GRADIENT_OF((void *)weighted<float>, x, byWeighted, 6);
  compare("weighted", weighted<double>, byWeighted, TANGENT_OF((void *)weighted<float>, x, t, 6), x, t);
#ifndef UNTOLD // docs/limits.md
  GRADIENT_OF((void *)heavy<float>, x, byHeavy, 6);
  compare("heavy", heavy<double>, byHeavy, TANGENT_OF((void *)heavy<float>, x, t, 6), x, t);
#endif
  return finish();
}
