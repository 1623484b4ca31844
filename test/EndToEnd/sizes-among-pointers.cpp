// Sizes and distances of arrays in an object that also has pointers: they are read and written by numbers that the
// program computes, and copied from one member to another (as Eigen's tensors do when they are convolved).
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2/-O3,-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <array>
#include <vector>

using Pair = std::array<long, 2>;
struct Table {
  double *data;
  Pair sizes;
};
struct Convolution {
  const Table &table, &kernel;
  Pair order;
};
class Evaluator {
  Pair inStep, outStep, indexStep, kernelStep;
  Table table, kernel;

public:
  Pair sizes;

private:
  const Convolution &what;
  const double *weights = nullptr;
  bool isOwn = false;

  __attribute__((noinline)) void convolve(long first, long weight, int at, double &sum) const {
    for (long j = 0; j < kernel.sizes[at]; ++j) {
      long in = first + j * indexStep[at], by = weight + j * kernelStep[at];
      if (at > 0)
        convolve(in, by, at - 1, sum);
      else
        sum += table.data[in] * weights[by];
    }
  }

public:
  __attribute__((noinline)) Evaluator(const Convolution &c) : table(c.table), kernel(c.kernel), what(c) {
    inStep[0] = 1;
    inStep[1] = table.sizes[0];
    sizes = table.sizes;
    for (int i = 0; i < 2; ++i) {
      long at = what.order[i];
      sizes[at] = table.sizes[at] - kernel.sizes[i] + 1;
      kernelStep[i] = i ? kernelStep[i - 1] * kernel.sizes[i - 1] : 1;
      indexStep[i] = inStep[at];
    }
    outStep[0] = 1;
    outStep[1] = sizes[0];
  }
  void prepare() { weights = kernel.data; }
  __attribute__((noinline)) double at(long index) const {
    double sum = 0;
    convolve(index / outStep[1] * inStep[1] + index % outStep[1], 0, 1, sum);
    return isOwn ? 0 : sum;
  }
};

static double smoothed(const double *in, int n) {
  std::vector<double> values(12), weights(in, in + 4);
  for (int i = 0; i < 12; i++)
    values[i] = sin(in[i % n]) * (i + 1);
  Table table{values.data(), {4, 3}}, kernel{weights.data(), {2, 2}};
  Convolution convolution{table, kernel, {0, 1}};
  Evaluator evaluator(convolution);
  evaluator.prepare();
  double sum = 0;
  for (long i = 0; i < evaluator.sizes[0] * evaluator.sizes[1]; i++) {
    double value = evaluator.at(i);
    sum += (1 + i) * value * value;
  }
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, smoothed, 6, x, t, 6);
  return finish();
}
