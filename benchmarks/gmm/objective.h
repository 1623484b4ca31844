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
 * Tools that overload operators include this file once more, with a type of numbers of their
 * own; hence no guard.
 *
 *===----------------------------------------------------------------------===*/
#include <math.h>
#include <stdlib.h>

#ifndef GMM_NUMBER
#define GMM_NUMBER double
#define GMM_NEW(count) (double *)malloc((count) * sizeof(double))
#define GMM_DELETE(array) free(array)
#endif
typedef GMM_NUMBER Number;

typedef struct {
  double gamma;
  int m;
} Wishart;

static Number array_max(int n, const Number *x) {
  Number largest = x[0];
  for (int i = 1; i < n; i++)
    if (largest < x[i])
      largest = x[i];
  return largest;
}

static Number log_sum_exp(int n, const Number *x) {
  Number largest = array_max(n, x), sum = 0;
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return log(sum) + largest;
}

static Number square_sum(int n, const Number *x) {
  Number sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

static void subtract(int d, const double *x, const Number *y, Number *out) {
  for (int i = 0; i < d; i++)
    out[i] = x[i] - y[i];
}

/* exp of the diagonals, and the sums of their logarithms */
static void read_diagonals(int d, int k, const Number *icf, Number *sum_qs, Number *Qdiags) {
  int size = d + d * (d - 1) / 2;
  for (int j = 0; j < k; j++) {
    sum_qs[j] = 0;
    for (int i = 0; i < d; i++) {
      Number q = icf[j * size + i];
      sum_qs[j] += q;
      Qdiags[j * d + i] = exp(q);
    }
  }
}

/* out = Q x */
static void multiply_Q(int d, const Number *Qdiag, const Number *below, const Number *x,
                       Number *out) {
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

static Number log_wishart_prior(int d, int k, Wishart wishart, const Number *sum_qs,
                                const Number *Qdiags, const Number *icf) {
  int below = d * (d - 1) / 2, freedom = d + wishart.m + 1;
  double constant =
      freedom * d * (log(wishart.gamma) - 0.5 * log(2)) - log_gamma_distrib(0.5 * freedom, d);
  Number sum = 0;
  for (int j = 0; j < k; j++) {
    Number frobenius = square_sum(d, &Qdiags[j * d]) + square_sum(below, &icf[j * (d + below) + d]);
    sum += 0.5 * wishart.gamma * wishart.gamma * frobenius - wishart.m * sum_qs[j];
  }
  return sum - k * constant;
}

static void gmm_objective(int d, int k, int n, const Number *alphas, const Number *means,
                          const Number *icf, const double *x, Wishart wishart, Number *err) {
  int size = d + d * (d - 1) / 2;
  double constant = -n * d * 0.5 * log(2 * M_PI);
  Number *Qdiags = GMM_NEW(d * k);
  Number *sum_qs = GMM_NEW(k);
  Number *xcentered = GMM_NEW(d);
  Number *Qxcentered = GMM_NEW(d);
  Number *main_term = GMM_NEW(k);

  read_diagonals(d, k, icf, sum_qs, Qdiags);
  Number slse = 0;
  for (int p = 0; p < n; p++) {
    for (int j = 0; j < k; j++) {
      subtract(d, &x[p * d], &means[j * d], xcentered);
      multiply_Q(d, &Qdiags[j * d], &icf[j * size + d], xcentered, Qxcentered);
      main_term[j] = alphas[j] + sum_qs[j] - 0.5 * square_sum(d, Qxcentered);
    }
    slse += log_sum_exp(k, main_term);
  }
  Number lse_alphas = log_sum_exp(k, alphas);
  *err = constant + slse - n * lse_alphas + log_wishart_prior(d, k, wishart, sum_qs, Qdiags, icf);

  GMM_DELETE(Qdiags);
  GMM_DELETE(sum_qs);
  GMM_DELETE(xcentered);
  GMM_DELETE(Qxcentered);
  GMM_DELETE(main_term);
}
