// Gradients that are called in four threads at once: tapes on the heap, memory that the function
// frees, variables of a thread, constant tables. ThreadSanitizer finds no race, and numbers are right.
// UNSUPPORTED: memcheck-asan, memcheck-valgrind
// RUN: %clangxx -std=c++20 -O1 -g -fsanitize=thread %s -o %t
// RUN: env TSAN_OPTIONS=halt_on_error=1 %t
#include "check.h"
#include <isozyme/isozyme.hpp>
#include <thread>

static const double Table[4] = {0.5, 1.5, 2.5, 3.5};
static thread_local double scale = 1;
static thread_local std::vector<double> scratch;

/// How often the loop runs is known only afterwards: a tape that grows.
static double shrink(const std::vector<double> &x, double limit) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    double v = x[i];
    while (v > limit)
      v = 0.9 * std::sin(v);
    sum += v * Table[i % 4];
  }
  return sum;
}

/// Lists of its own, which are freed before the reverse sweep comes to them.
static double mixed(const std::vector<double> &x) {
  std::vector<double> y = x;
  for (int round = 0; round < 3; round++) {
    std::vector<double> next(y.size());
    for (std::size_t i = 0; i < y.size(); i++)
      next[i] = y[i] * y[(i + 1) % y.size()];
    y = next;
  }
  double sum = 0;
  for (double v : y)
    sum += v;
  return sum;
}

/// State of the thread, differentiated data among it.
static double stateful(const std::vector<double> &x) {
  scale = 1;
  scratch.assign(x.begin(), x.end());
  for (double v : scratch)
    scale *= 1 + v * v / 8;
  return scale * scratch[0];
}

int main() {
  constexpr int Threads = 4;
  std::vector<double> slopes[Threads][3];
  std::vector<std::thread> all;
  for (int t = 0; t < Threads; t++)
    all.emplace_back([&, t] {
      for (int round = 0; round < 3; round++) {
        std::vector<double> x{0.1 + t, 0.5, 1.5, 0.25, 0.75};
        slopes[t][0] = isozyme::grad(shrink)(x, isozyme::constant(0.05));
        slopes[t][1] = isozyme::grad(mixed)(x);
        slopes[t][2] = isozyme::grad(stateful)(x);
      }
    });
  for (std::thread &thread : all)
    thread.join();
  for (int t = 0; t < Threads; t++) {
    std::vector<double> x{0.1 + t, 0.5, 1.5, 0.25, 0.75};
    for (int i = 0; i < 5; i++) {
      CHECK_AT("shrink", i, slopes[t][0][i], SLOPE_WITHIN(1e-4, x[i], shrink(x, 0.05)));
      CHECK_AT("mixed", i, slopes[t][1][i], SLOPE(x[i], mixed(x)));
      CHECK_AT("stateful", i, slopes[t][2][i], SLOPE(x[i], stateful(x)));
    }
  }
  return finish();
}
