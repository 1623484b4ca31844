#include <lbfgs.h>

static lbfgsfloatval_t valley(void *Data, const lbfgsfloatval_t *P, lbfgsfloatval_t *G, int N, lbfgsfloatval_t Step) {
  const double *x = (const double *)Data;
  double A = P[0] - x[0], B = P[1] - x[1] * P[0] * P[0];
  G[0] = 2 * A - 4 * x[1] * B * P[0];
  G[1] = 2 * B;
  return A * A + B * B;
}

// Where a curved valley is lowest.
double minimum(const double *x) {
  lbfgsfloatval_t P[2] = {0.1, 0.1};
  lbfgs_parameter_t Parameters;
  lbfgs_parameter_init(&Parameters);
  Parameters.epsilon = 1e-13;
  lbfgs(2, P, 0, valley, 0, (void *)x, &Parameters);
  return P[0] + P[1] * P[1];
}
