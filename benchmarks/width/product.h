//===- product.h - A matrix product, summed up ------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_WIDTH_PRODUCT_H
#define ISOZYME_BENCHMARKS_WIDTH_PRODUCT_H

static double product(const double *__restrict a, const double *__restrict b, double *__restrict c,
                      int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += c[i] * c[i];
  return sum;
}

#endif
