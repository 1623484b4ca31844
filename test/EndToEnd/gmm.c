// The log-likelihood of a mixture of Gaussians, with a Wishart prior, in plain C.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../../benchmarks/width/likelihood.h"
#include "check.h"

enum { D = 3, K = 4, N = 10, SIZE = D + D * (D - 1) / 2 };

int main(void) {
  double a[K], mu[K * D], q[K * SIZE], x[N * D];
  double da[K] = {0}, dmu[K * D] = {0}, dq[K * SIZE] = {0};
  double ta[K], tmu[K * D], tq[K * SIZE], gamma = 1.2;
  fill(a, K, 1, -1, 1);
  fill(mu, K * D, 2, -1, 1);
  fill(q, K * SIZE, 3, -0.5, 0.5);
  fill(x, N * D, 4, -1.5, 1.5);
  fill(ta, K, 5, -1, 1);
  fill(tmu, K * D, 6, -1, 1);
  fill(tq, K * SIZE, 7, -1, 1);
  show("likelihood", likelihood(D, K, N, a, mu, q, x, gamma, 2), 1e-9);
  double dgamma = __enzyme_autodiff((void *)likelihood, D, K, N, a, da, mu, dmu, q, dq,
                                    enzyme_const, x, gamma, 2);
#define VALUE likelihood(D, K, N, a, mu, q, x, gamma, 2)
  for (int i = 0; i < K; i++)
    CHECK_AT("alpha", i, da[i], SLOPE(a[i], VALUE));
  for (int i = 0; i < K * D; i++)
    CHECK_AT("mean", i, dmu[i], SLOPE(mu[i], VALUE));
  for (int i = 0; i < K * SIZE; i++)
    CHECK_AT("factor", i, dq[i], SLOPE(q[i], VALUE));
  CHECK("gamma", dgamma, SLOPE(gamma, VALUE));
  double t = __enzyme_fwddiff((void *)likelihood, D, K, N, a, ta, mu, tmu, q, tq, enzyme_const, x,
                              gamma, 0.5, 2);
  CHECK("jvp", t,
        innerProduct(ta, da, K) + innerProduct(tmu, dmu, K * D) + innerProduct(tq, dq, K * SIZE) +
            0.5 * dgamma);
  return finish();
}
