// Macros of one letter in front of the headers, as `#define N 100`, change nothing in them, and are there afterwards.
// UNSUPPORTED: memcheck
// RUN: %clangxx -std=c++20 -O1 %s -o %t -lm && %t | FileCheck %s
#define N 5
#define M(x) ((x) * N)
#define A 1
#define B 2
#define C 3
#define D double
#define F f
#define I 7
#define J 8
#define P struct
#define R 9
#define T double
#define V void
#define X x
#include <isozyme/isozyme.hpp>

#include <cstdio>
#include <enzyme/enzyme>
#include <enzyme/utils>
#include <vector>

static_assert(N == 5 && M(2) == 10 && A + B + C + I + J + R == 30);

static T F(const std::vector<D> &X) {
  T sum = 0;
  for (T v : X)
    sum += N * v * v;
  return sum;
}

int main() {
  // CHECK: 10 20
  std::vector<double> g = isozyme::grad(f)(std::vector<double>{1, 2});
  printf("%g %g\n", g[0], g[1]);
}
