// The log-likelihood of a Gaussian mixture with full precision factors and a Wishart prior.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define TRIANGLE(D) ((D) * ((D) - 1) / 2)

typedef struct {
  double gamma;
  int m;
} Prior;

static double logSumExp(int n, const double *x) {
  double max = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > max)
      max = x[i];
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - max);
  return log(sum) + max;
}
/* out = L x, where L has exp(q) on the diagonal and l below it, by columns */
static void lowerTimes(int d, const double *q, const double *l, const double *x, double *out) {
  for (int i = 0; i < d; i++)
    out[i] = exp(q[i]) * x[i];
  int at = 0;
  for (int j = 0; j < d; j++)
    for (int i = j + 1; i < d; i++)
      out[i] += l[at++] * x[j];
}
static double logWishart(const Prior *prior, int d, int k, const double *qs, const double *ls) {
  double sum = 0;
  for (int c = 0; c < k; c++) {
    double frobenius = 0, sumQ = 0;
    for (int i = 0; i < d; i++) {
      frobenius += exp(2 * qs[c * d + i]);
      sumQ += qs[c * d + i];
    }
    for (int i = 0; i < TRIANGLE(d); i++)
      frobenius += ls[c * TRIANGLE(d) + i] * ls[c * TRIANGLE(d) + i];
    sum += 0.5 * prior->gamma * prior->gamma * frobenius - prior->m * sumQ;
  }
  return sum;
}

void objective(int d, int k, int n, const double *alphas, const double *means, const double *qs,
               const double *ls, const double *points, Prior prior, double *result) {
  double *centred = malloc(d * sizeof(double));
  double *scaled = malloc(d * sizeof(double));
  double *terms = malloc(k * sizeof(double));
  double total = 0;
  for (int p = 0; p < n; p++) {
    for (int c = 0; c < k; c++) {
      double square = 0, sumQ = 0;
      for (int i = 0; i < d; i++)
        centred[i] = points[p * d + i] - means[c * d + i];
      lowerTimes(d, &qs[c * d], &ls[c * TRIANGLE(d)], centred, scaled);
      for (int i = 0; i < d; i++) {
        square += scaled[i] * scaled[i];
        sumQ += qs[c * d + i];
      }
      terms[c] = alphas[c] + sumQ - 0.5 * square;
    }
    total += logSumExp(k, terms);
  }
  *result = total - n * logSumExp(k, alphas) + logWishart(&prior, d, k, qs, ls);
  free(centred);
  free(scaled);
  free(terms);
}

enum {
  D = 3,
  K = 4,
  POINTS = 7,
  ALL = K + 2 * K * D + K * TRIANGLE(D),
  M = K,
  Q = M + K * D,
  L = Q + K * D
};

static double valueAt(const double *points, const double *x, Prior prior) {
  double result;
  objective(D, K, POINTS, x, x + M, x + Q, x + L, points, prior, &result);
  return result;
}

int main(void) {
  double points[POINTS * D], x[ALL], t[ALL], d[ALL] = {0}, value, seed = 1, tangent;
  fill(points, POINTS * D, 1, -1, 1);
  fill(x, ALL, 2, -1, 1);
  fill(t, ALL, 3, -1, 1);
  Prior prior = {0.8, 2};
  __enzyme_autodiff((void *)objective, D, K, POINTS, x, d, x + M, d + M, x + Q, d + Q, x + L, d + L,
                    enzyme_const, points, enzyme_const, prior, &value, &seed);
  CHECK_SLOPES("x", ALL, x, d, valueAt(points, x, prior));
  __enzyme_fwddiff((void *)objective, D, K, POINTS, x, t, x + M, t + M, x + Q, t + Q, x + L, t + L,
                   enzyme_const, points, enzyme_const, prior, &value, &tangent);
  CHECK_FORWARD("objective", tangent, ALL, t, d);
  return finish();
}
