// Indices, permutations and other memory without derivatives that a function allocates and releases. It is released
// after the reverse sweep, which reads it again: also if a path does not come there, if the block is released early and
// its place is taken by numbers, in a loop, in a function that is called, and in second derivatives.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-std=c++20 %s
#include "check.h"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

static constexpr int Count = 8;

struct Sparse {
  std::vector<int> begins, columns;
  std::vector<double> values;
};

// A sparse matrix is built, applied some times, and goes.
static double sparse(const double *in, int n) {
  Sparse a;
  for (int i = 0; i < n; i++) {
    a.begins.push_back((int)a.columns.size());
    for (int j = i % 3; j < n; j += 3) {
      a.columns.push_back(j);
      a.values.push_back(in[i] * in[j]);
    }
  }
  a.begins.push_back((int)a.columns.size());
  std::vector<double> x(in, in + n), y(n);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int e = a.begins[i]; e < a.begins[i + 1]; e++)
        y[i] += a.values[e] * std::sin(x[a.columns[e]]);
    }
    std::swap(x, y);
  }
  return std::accumulate(x.begin(), x.end(), 0.0);
}

// Sorted by value: the order is known when the program runs.
static double sorted(const double *in, int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return in[a] < in[b]; });
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[order[i]] * in[order[i]] * (i + 1);
  return sum;
}

// One path releases the block at once, one later, one never has it.
static double paths(const double *in, int n) {
  double sum = 0;
  int *order = in[0] > 0.3 ? new int[n] : nullptr;
  if (order)
    for (int i = 0; i < n; i++)
      order[i] = n - 1 - i;
  if (in[1] > in[2]) {
    for (int i = 0; order && i < n; i++)
      sum += in[order[i]] * in[i] * in[i];
    delete[] order;
    return sum;
  }
  for (int i = 0; i < n; i++)
    sum += in[order ? order[i] : i] * std::exp(in[i]);
  delete[] order;
  return sum;
}

// What is allocated after a release of the same size may get its place, if it is not put off.
static double reused(const double *in, int n) {
  auto order = std::make_unique<std::int64_t[]>(n);
  for (int i = 0; i < n; i++)
    order[i] = (i * 5 + 3) % n;
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[order[i]] * in[order[i]] * in[i];
  order.reset();
  std::unique_ptr<double[]> numbers(new double[n]);
  for (int i = 0; i < n; i++)
    numbers[i] = std::sin(in[i]) * sum;
  for (int i = 0; i < n; i++)
    sum += numbers[i] * numbers[(i + 1) % n];
  return sum;
}

// In each iteration, and in each call.
static double inLoop(const double *in, int n) {
  double sum = 0;
  for (int k = 1; k < 4; k++) {
    std::vector<int> order(n);
    for (int i = 0; i < n; i++)
      order[i] = (i * 3 + k) % n;
    for (int i = 0; i < n; i++)
      sum += in[order[i]] * in[order[i]] * in[i] / k;
  }
  return sum;
}
__attribute__((noinline)) static double calledOnce(const double *in, int n, int k) {
  std::vector<int> order(n);
  for (int i = 0; i < n; i++)
    order[i] = (i * k + 1) % n;
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[order[i]] * std::exp(in[i]) * in[order[i]];
  return sum;
}
static double called(const double *in, int n) {
  double product = 1;
  for (int k = 1; k < 4; k++)
    product *= calledOnce(in, n, k);
  return product;
}

// The derivative of a gradient along a direction: against differences of gradients.
static void gradientOfSorted(const double *in, double *g) { __enzyme_autodiff<void>((void *)sorted, enzyme_dup, in, g, enzyme_const, Count); }

int main() {
  double x[Count], t[Count];
  fill(x, Count, 3, 0.2, 1.2);
  fill(t, Count, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-5, sparse, Count, x, t, Count);
  CHECK_FUNCTION_WITHIN(1e-5, sorted, Count, x, t, Count);
  CHECK_FUNCTION_WITHIN(1e-5, paths, Count, x, t, Count);
  std::swap(x[1], x[2]);
  CHECK_FUNCTION_WITHIN(1e-5, paths, Count, x, t, Count);
  x[0] = 0.25;
  CHECK_FUNCTION_WITHIN(1e-5, paths, Count, x, t, Count);
  CHECK_FUNCTION_WITHIN(1e-5, reused, Count, x, t, Count);
  CHECK_FUNCTION_WITHIN(1e-5, inLoop, Count, x, t, Count);
  CHECK_FUNCTION_WITHIN(1e-5, called, Count, x, t, Count);
  double g[Count] = {0}, dg[Count] = {0};
  __enzyme_fwddiff<void>((void *)gradientOfSorted, enzyme_dup, x, t, enzyme_dup, g, dg);
  for (int i = 0; i < Count; i++) { // The square of each, times its rank.
    int rank = 1;
    for (int j = 0; j < Count; j++)
      rank += x[j] < x[i];
    checkWithin("second", i, dg[i], 2 * rank * t[i], 1e-12, 1e-12);
  }
  return finish();
}
