/*===- objective.h - Mixture of Gaussians, as published -------*- C -*-===*
 *
 * Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The objective of F. Srajer, Z. Kukelova, A. Fitzgibbon, "A Benchmark of Selected
 * Algorithmic Differentiation Tools on Some Problems in Computer Vision and Machine
 * Learning" (2018), with the interface that is common for it: plain pointers, of which
 * nothing says that they lead to different memory, small functions, and buffers from
 * malloc. width/likelihood.h has the same mathematics in a form that is easier on compilers.
 *
 * icf has d + d (d - 1) / 2 numbers for each of the k components: the logarithms of the
 * diagonal of the factor Q of the inverse covariance, then Q below it, by columns.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ISOZYME_BENCHMARKS_GMM_OBJECTIVE_H
#define ISOZYME_BENCHMARKS_GMM_OBJECTIVE_H

#include <math.h>
#include <stdlib.h>

typedef struct {
  double gamma;
  int m;
} Wishart;

static double array_max(int n, const double *x) {
  double largest = x[0];
  for (int i = 1; i < n; i++)
    if (largest < x[i])
      largest = x[i];
  return largest;
}

static double log_sum_exp(int n, const double *x) {
  double largest = array_max(n, x), sum = 0;
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return log(sum) + largest;
}

static double square_sum(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

static void subtract(int d, const double *x, const double *y, double *out) {
  for (int i = 0; i < d; i++)
    out[i] = x[i] - y[i];
}

/* exp of the diagonals, and the sums of their logarithms */
static void read_diagonals(int d, int k, const double *icf, double *sum_qs, double *Qdiags) {
  int size = d + d * (d - 1) / 2;
  for (int j = 0; j < k; j++) {
    sum_qs[j] = 0;
    for (int i = 0; i < d; i++) {
      double q = icf[j * size + i];
      sum_qs[j] += q;
      Qdiags[j * d + i] = exp(q);
    }
  }
}

/* out = Q x */
static void multiply_Q(int d, const double *Qdiag, const double *below, const double *x,
                       double *out) {
  for (int i = 0; i < d; i++)
    out[i] = Qdiag[i] * x[i];
  int at = 0;
  for (int column = 0; column < d; column++)
    for (int row = column + 1; row < d; row++, at++)
      out[row] += below[at] * x[column];
}

/* the logarithm of the multivariate gamma function */
static double log_gamma_distrib(double a, double p) {
  double sum = 0.25 * p * (p - 1) * log(M_PI);
  for (int j = 1; j <= p; j++)
    sum += lgamma(a + 0.5 * (1 - j));
  return sum;
}

static double log_wishart_prior(int d, int k, Wishart wishart, const double *sum_qs,
                                const double *Qdiags, const double *icf) {
  int below = d * (d - 1) / 2, freedom = d + wishart.m + 1;
  double constant =
      freedom * d * (log(wishart.gamma) - 0.5 * log(2)) - log_gamma_distrib(0.5 * freedom, d);
  double sum = 0;
  for (int j = 0; j < k; j++) {
    double frobenius = square_sum(d, &Qdiags[j * d]) + square_sum(below, &icf[j * (d + below) + d]);
    sum += 0.5 * wishart.gamma * wishart.gamma * frobenius - wishart.m * sum_qs[j];
  }
  return sum - k * constant;
}

static void gmm_objective(int d, int k, int n, const double *alphas, const double *means,
                          const double *icf, const double *x, Wishart wishart, double *err) {
  int size = d + d * (d - 1) / 2;
  double constant = -n * d * 0.5 * log(2 * M_PI);
  double *Qdiags = (double *)malloc(d * k * sizeof(double));
  double *sum_qs = (double *)malloc(k * sizeof(double));
  double *xcentered = (double *)malloc(d * sizeof(double));
  double *Qxcentered = (double *)malloc(d * sizeof(double));
  double *main_term = (double *)malloc(k * sizeof(double));

  read_diagonals(d, k, icf, sum_qs, Qdiags);
  double slse = 0;
  for (int p = 0; p < n; p++) {
    for (int j = 0; j < k; j++) {
      subtract(d, &x[p * d], &means[j * d], xcentered);
      multiply_Q(d, &Qdiags[j * d], &icf[j * size + d], xcentered, Qxcentered);
      main_term[j] = alphas[j] + sum_qs[j] - 0.5 * square_sum(d, Qxcentered);
    }
    slse += log_sum_exp(k, main_term);
  }
  double lse_alphas = log_sum_exp(k, alphas);
  *err = constant + slse - n * lse_alphas + log_wishart_prior(d, k, wishart, sum_qs, Qdiags, icf);

  free(Qdiags);
  free(sum_qs);
  free(xcentered);
  free(Qxcentered);
  free(main_term);
}

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
