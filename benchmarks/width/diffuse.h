//===- diffuse.h - A diffusion in time --------------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_WIDTH_DIFFUSE_H
#define ISOZYME_BENCHMARKS_WIDTH_DIFFUSE_H

static double diffuse(const double *start, double *first, double *second, int n, int steps) {
  for (int i = 0; i < n; i++)
    first[i] = second[i] = start[i];
  for (int s = 0; s < steps; s += 2) {
    for (int i = 1; i + 1 < n; i++)
      second[i] = first[i] + 0.2 * (first[i - 1] - 2 * first[i] + first[i + 1]) -
                  0.01 * first[i] * first[i];
    for (int i = 1; i + 1 < n; i++)
      first[i] = second[i] + 0.2 * (second[i - 1] - 2 * second[i] + second[i + 1]) -
                 0.01 * second[i] * second[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += first[i] * first[i];
  return sum;
}

#endif
