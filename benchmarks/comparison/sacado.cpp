//===- sacado.cpp - Gradients by Sacado -----------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse mode (Rad).
//
//===----------------------------------------------------------------------===//
#include <Sacado_trad.hpp>

#include "measure.h"

using Reverse = Sacado::Rad::ADvar<double>;

template <typename F> void reverse(F f, const double *x, int n, double *g) {
  std::vector<Reverse> active(n);
  for (int i = 0; i < n; ++i)
    active[i] = x[i];
  Reverse result = f(active.data());
  Reverse::Gradcomp();
  for (int i = 0; i < n; ++i)
    g[i] = active[i].adj();
}

int main() { return MEASURE_ALL("Sacado", reverse, Reverse); }
