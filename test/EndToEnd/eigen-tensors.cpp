// Eigen's tensors: shuffles, reversals, broadcasts, padding, chips and slices keep arrays of sizes and strides beside
// pointers, and index them by numbers of dimensions that short loops count, or that are known only when the program runs.
// REQUIRES: eigen
// UNSUPPORTED: sanitizers, memcheck
// RUN: %if turn-1 %{ %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --keep plan --flag=-I/usr/include/eigen3 %s %}
// RUN: %if turn-2 %{ %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1 --keep plan --flag=-I/usr/include/eigen3 %s %}
// RUN: %if turn-3 %{ %clangxx -O1 -DUNOPTIMISED -Xclang -disable-llvm-passes -I/usr/include/eigen3 -I%S -c -emit-llvm %s -o %t.bc %}
// RUN: %if turn-3 %{ %opt_bin -load-pass-plugin=%plugin -isozyme-verify-each -passes='default<O2>' %t.bc -o %t.out.bc %}
// RUN: %if turn-3 %{ %clangxx_bin -O1 %t.out.bc -o %t -lm && %t | FileCheck %s %}
// CHECK: {{^}}ok
#include "check.h"
#include <unsupported/Eigen/CXX11/Tensor>

extern int enzyme_dup;
using namespace Eigen;
using View = TensorMap<const Tensor<double, 2>>;
constexpr int N = 12;

template <typename T> static double weighed(const T &t) {
  double sum = 0;
  for (long i = 0; i < t.size(); i++)
    sum += (i + 1) * t.data()[i] * t.data()[i];
  return sum;
}
static double shuffled(const double *x) {
  Tensor<double, 2> t = View(x, 3, 4).shuffle(array<int, 2>{1, 0});
  return weighed(t);
}
static double turned(const double *x) {
  Tensor<double, 3> t = TensorMap<const Tensor<double, 3>>(x, 2, 3, 2).shuffle(array<int, 3>{2, 0, 1});
  return weighed(t);
}
static double reversed(const double *x) {
  Tensor<double, 2> t = View(x, 3, 4).reverse(array<bool, 2>{true, false});
  return weighed(t);
}
static double broadcast(const double *x) {
  Tensor<double, 2> t = View(x, 3, 4).broadcast(array<int, 2>{2, 3});
  return weighed(t);
}
static double padded(const double *x) {
  array<std::pair<int, int>, 2> rim{std::pair{1, 1}, std::pair{0, 2}};
  Tensor<double, 2> t = View(x, 3, 4).pad(rim);
  return weighed(t);
}
static double chipped(const double *x) {
  Tensor<double, 1> t = View(x, 3, 4).chip(1, 0);
  return weighed(t);
}
static double sliced(const double *x) {
  Tensor<double, 2> t = View(x, 3, 4).slice(array<long, 2>{1, 0}, array<long, 2>{2, 3});
  return weighed(t);
}
static double convolved(const double *x) {
  Tensor<double, 2> kernel = TensorMap<const Tensor<double, 2>>(x, 2, 2);
  Tensor<double, 2> t = View(x, 3, 4).convolve(kernel, array<ptrdiff_t, 2>{0, 1});
  return weighed(t);
}

int main() {
  double x[N], d[N];
  for (int i = 0; i < N; i++)
    x[i] = 0.3 * i * i - i + 0.5;
#define TEST(F)                                                                                    \
  memset(d, 0, sizeof d);                                                                          \
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, d);                                            \
  CHECK_SLOPES(#F, N, x, d, F(x))
  TEST(shuffled);
  TEST(turned);
#ifndef UNOPTIMISED // docs/limits.md
  TEST(reversed);
  TEST(convolved);
#endif
  TEST(broadcast);
  TEST(padded);
  TEST(chipped);
  TEST(sliced);
  if (!failures)
    puts("ok");
  return failures != 0;
}
