//===- isozyme.cpp - Gradients by Isozyme ---------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "measure.h"

// A macro, since each call has to name its function.
#define GRADIENT(F, X, N, G)                                                                       \
  std::fill(G, G + N, 0.0);                                                                        \
  __enzyme_autodiff<void>((void *)F, enzyme_dup, X, G)

int main() { return MEASURE_ALL("Isozyme", GRADIENT, double); }
