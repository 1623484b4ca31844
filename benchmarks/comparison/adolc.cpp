//===- adolc.cpp - Gradients by ADOL-C ------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Once with a new recording for each gradient, which is needed where branches depend
// on the variables, and once with one recording for all.
//
//===----------------------------------------------------------------------===//
#include <adolc/adolc.h>

#include "measure.h"

template <typename F> void record(F f, const double *x, int n) {
  trace_on(1);
  std::vector<adouble> active(n);
  for (int i = 0; i < n; ++i)
    active[i] <<= x[i];
  double result;
  f(active.data()) >>= result;
  trace_off();
}

template <typename F> void recordEachTime(F f, const double *x, int n, double *g) {
  record(f, x, n);
  gradient(1, n, const_cast<double *>(x), g);
}

void recordOnce(adouble (*f)(const adouble *), const double *x, int n, double *g) {
  static adouble (*recorded)(const adouble *) = nullptr;
  if (recorded != f)
    record(f, x, n);
  recorded = f;
  gradient(1, n, const_cast<double *>(x), g);
}

int main() {
  return MEASURE_ALL("ADOL-C", recordEachTime, adouble) |
         MEASURE_ALL("ADOL-C 1x", recordOnce, adouble);
}
