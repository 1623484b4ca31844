// The same likelihood as in gmm.c, in the form in which it was published: pointers that may
// alias, and a result that is stored.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../../benchmarks/gmm/gradient.h"
#include "check.h"

enum { D = 3, K = 4, N = 10, SIZE = D + D * (D - 1) / 2 };

int main(void) {
  double a[K], mu[K * D], q[K * SIZE], x[N * D], err;
  double da[K] = {0}, dmu[K * D] = {0}, dq[K * SIZE] = {0}, derr = 1;
  double ha[K] = {0}, hmu[K * D] = {0}, hq[K * SIZE] = {0};
  Wishart prior = {1.2, 2};
  fill(a, K, 1, -1, 1);
  fill(mu, K * D, 2, -1, 1);
  fill(q, K * SIZE, 3, -0.5, 0.5);
  fill(x, N * D, 4, -1.5, 1.5);
  __enzyme_autodiff((void *)gmm_objective, D, K, N, a, da, mu, dmu, q, dq, enzyme_const, x,
                    enzyme_const, prior, &err, &derr);
  show("likelihood", err, 1e-9);
  gmm_gradient(D, K, N, a, ha, mu, hmu, q, hq, x, prior);
#define VALUE (gmm_objective(D, K, N, a, mu, q, x, prior, &err), err)
  for (int i = 0; i < K; i++)
    CHECK_AT("alpha", i, da[i], SLOPE(a[i], VALUE));
  for (int i = 0; i < K * D; i++)
    CHECK_AT("mean", i, dmu[i], SLOPE(mu[i], VALUE));
  for (int i = 0; i < K * SIZE; i++)
    CHECK_AT("factor", i, dq[i], SLOPE(q[i], VALUE));
  for (int i = 0; i < K; i++)
    checkWithin("alpha by hand", i, da[i], ha[i], 1e-12, 1e-9);
  for (int i = 0; i < K * D; i++)
    checkWithin("mean by hand", i, dmu[i], hmu[i], 1e-12, 1e-9);
  for (int i = 0; i < K * SIZE; i++)
    checkWithin("factor by hand", i, dq[i], hq[i], 1e-12, 1e-9);
  return finish();
}
