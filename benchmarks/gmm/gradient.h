/*===- gradient.h - Mixture of Gaussians, by hand ------------*- C -*-===*
 *
 * Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The gradient of objective.h: terms and adjoints of a point at once.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ISOZYME_BENCHMARKS_GMM_GRADIENT_H
#define ISOZYME_BENCHMARKS_GMM_GRADIENT_H

#include "objective.h"

/* weights = exp(x) / sum(exp(x)) */
static void softmax(int n, const double *x, double *weights) {
  double largest = array_max(n, x), sum = 0;
  for (int i = 0; i < n; i++)
    sum += weights[i] = exp(x[i] - largest);
  for (int i = 0; i < n; i++)
    weights[i] /= sum;
}

/* returns the sum of Q[i] s[i], in parts that need not wait for each other, and adds - by s to dQ
 */
static double column_back(int n, const double *__restrict Q, const double *__restrict s, double by,
                          double *__restrict dQ) {
  double sums[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++) {
      sums[k] += Q[i + k] * s[i + k];
      dQ[i + k] -= by * s[i + k];
    }
  for (; i < n; i++) {
    sums[0] += Q[i] * s[i];
    dQ[i] -= by * s[i];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* By hand: adds the derivatives by alphas, means and icf to those in d_alphas, d_means, d_icf. */
static void gmm_gradient(int d, int k, int n, const double *alphas, double *d_alphas,
                         const double *means, double *d_means, const double *icf, double *d_icf,
                         const double *x, Wishart wishart) {
  int below = d * (d - 1) / 2, size = d + below;
  double square = wishart.gamma * wishart.gamma;
  double *Qdiags = (double *)malloc(d * k * sizeof(double));
  double *sum_qs = (double *)malloc(k * sizeof(double));
  double *centered = (double *)malloc(d * k * sizeof(double));
  double *scaled = (double *)malloc(d * k * sizeof(double));
  double *weights = (double *)malloc(k * sizeof(double));
  double *main_term = (double *)malloc(k * sizeof(double));

  read_diagonals(d, k, icf, sum_qs, Qdiags);
  for (int p = 0; p < n; p++) {
    for (int j = 0; j < k; j++) {
      subtract(d, &x[p * d], &means[j * d], &centered[j * d]);
      multiply_Q(d, &Qdiags[j * d], &icf[j * size + d], &centered[j * d], &scaled[j * d]);
      main_term[j] = alphas[j] + sum_qs[j] - 0.5 * square_sum(d, &scaled[j * d]);
    }
    softmax(k, main_term, weights);
    for (int j = 0; j < k; j++) {
      const double w = weights[j], *c = &centered[j * d], *s = &scaled[j * d];
      const double *Q = &icf[j * size + d];
      double *dq = &d_icf[j * size], *dQ = dq + d, *dmean = &d_means[j * d];
      d_alphas[j] += w;
      for (int column = 0; column < d; column++) {
        const int rows = d - column - 1;
        const double own = Qdiags[j * d + column] * s[column];
        dq[column] += w * (1 - own * c[column]);
        dmean[column] += w * (own + column_back(rows, Q, s + column + 1, w * c[column], dQ));
        Q += rows;
        dQ += rows;
      }
    }
  }
  softmax(k, alphas, weights);
  for (int j = 0; j < k; j++) {
    d_alphas[j] -= n * weights[j];
    for (int i = 0; i < d; i++)
      d_icf[j * size + i] += square * Qdiags[j * d + i] * Qdiags[j * d + i] - wishart.m;
    for (int i = 0; i < below; i++)
      d_icf[j * size + d + i] += square * icf[j * size + d + i];
  }
  free(Qdiags);
  free(sum_qs);
  free(centered);
  free(scaled);
  free(weights);
  free(main_term);
}

#endif
