/*===- likelihood.h - Likelihood of a mixture of Gaussians --------*- C -*-===*
 *
 * Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The log-likelihood of points under a mixture of k Gaussians in d dimensions,
 * with a Wishart prior, in plain C. Parameters: k weights alpha (before softmax),
 * k means, and k lower triangular factors of the inverse covariance, each as d
 * logarithms of the diagonal, then the columns below it.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ISOZYME_BENCHMARKS_WIDTH_LIKELIHOOD_H
#define ISOZYME_BENCHMARKS_WIDTH_LIKELIHOOD_H

#include <math.h>
#include <stdlib.h>

static double logSumExp(const double *x, int n) {
  double largest = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (largest < x[i])
      largest = x[i];
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return largest + log(sum);
}

// out = Q * centred, of a lower triangular matrix with exp(logs) on its diagonal
static void applyFactor(int d, const double *diagonal, const double *below, const double *centred,
                        double *out) {
  for (int i = 0; i < d; i++)
    out[i] = diagonal[i] * centred[i];
  int at = 0;
  for (int column = 0; column < d; column++)
    for (int row = column + 1; row < d; row++)
      out[row] += below[at++] * centred[column];
}

static double squaredNorm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

static double logGammaOfDimension(double a, int d) {
  double sum = 0.25 * d * (d - 1) * log(M_PI);
  for (int j = 1; j <= d; j++)
    sum += lgamma(a + 0.5 * (1 - j));
  return sum;
}

static double wishartPrior(int d, int k, double gamma, int m, const double *sums,
                           const double *diagonals, const double *factors) {
  int freedom = d + m + 1, below = d * (d - 1) / 2;
  double constant =
      freedom * d * (log(gamma) - 0.5 * log(2.0)) - logGammaOfDimension(0.5 * freedom, d);
  double sum = 0;
  for (int j = 0; j < k; j++) {
    double frobenius =
        squaredNorm(diagonals + j * d, d) + squaredNorm(factors + j * (d + below) + d, below);
    sum += 0.5 * gamma * gamma * frobenius - m * sums[j];
  }
  return sum - k * constant;
}

static double likelihood(int d, int k, int n, const double *alphas, const double *means,
                         const double *factors, const double *points, double gamma, int m) {
  int size = d + d * (d - 1) / 2;
  double *diagonals = (double *)malloc(sizeof(double) * k * d);
  double *sums = (double *)malloc(sizeof(double) * k);
  double *centred = (double *)malloc(sizeof(double) * d);
  double *scaled = (double *)malloc(sizeof(double) * d);
  double *terms = (double *)malloc(sizeof(double) * k);
  for (int j = 0; j < k; j++) {
    sums[j] = 0;
    for (int i = 0; i < d; i++) {
      sums[j] += factors[j * size + i];
      diagonals[j * d + i] = exp(factors[j * size + i]);
    }
  }
  double total = 0;
  for (int p = 0; p < n; p++) {
    for (int j = 0; j < k; j++) {
      for (int i = 0; i < d; i++)
        centred[i] = points[p * d + i] - means[j * d + i];
      applyFactor(d, diagonals + j * d, factors + j * size + d, centred, scaled);
      terms[j] = alphas[j] + sums[j] - 0.5 * squaredNorm(scaled, d);
    }
    total += logSumExp(terms, k);
  }
  total += -0.5 * n * d * log(2 * M_PI) - n * logSumExp(alphas, k) +
           wishartPrior(d, k, gamma, m, sums, diagonals, factors);
  free(diagonals);
  free(sums);
  free(centred);
  free(scaled);
  free(terms);
  return total;
}

#endif
