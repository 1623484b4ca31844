// Time series: an ARMA model's likelihood with a ring buffer of past values and a volatility recursion.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define CAPACITY 4 /* a power of two */
#define RING_AT(R, BACK) ((R)->items[((R)->head - (BACK)) & (CAPACITY - 1)])

typedef struct {
  double items[CAPACITY];
  unsigned head;
} Ring;

static void push(Ring *r, double x) { r->items[++r->head & (CAPACITY - 1)] = x; }

typedef struct {
  int p, q;
  double mean, ar[3], ma[3], omega, alpha, beta;
} Model;

/* Negative log-likelihood; innovations are written out if a place is given. */
double arma(const Model *m, const double *series, int n, double *innovations) {
  Ring past = {{0}, 0}, shocks = {{0}, 0};
  double variance = m->omega / (1 - m->alpha - m->beta), sum = 0;
  for (int t = 0; t < n; t++) {
    double guess = m->mean;
    for (int i = 0; i < m->p; i++)
      guess += m->ar[i] * (RING_AT(&past, i));
    for (int i = 0; i < m->q; i++)
      guess += m->ma[i] * RING_AT(&shocks, i);
    double shock = series[t] - guess;
    if (t > 0) {
      double last = RING_AT(&shocks, 0);
      variance = m->omega + m->alpha * last * last + m->beta * variance;
    }
    sum += 0.5 * (log(variance) + shock * shock / variance);
    push(&past, series[t] - m->mean);
    push(&shocks, shock);
    if (innovations)
      innovations[t] = shock;
  }
  return sum;
}

enum { N = 25, REALS = 10 };

int main(void) {
  Model m = {2, 3, 0.1, {0.4, -0.2, 0}, {0.3, 0.1, -0.05}, 0.2, 0.15, 0.6}, d, t;
  double s[N], ds[2 * N] = {0}, ts[N], v[N], dv[N], w[N], tv[N];
  memset(&d, 0, sizeof d);
  t = m;
  fill(&t.mean, 1, 74, -1, 1);
  fill(t.ar, 3, 75, -1, 1);
  fill(t.ma, 3, 76, -1, 1);
  fill(s, N, 77, -1, 1);
  fill(ts, N, 78, -1, 1);
  fill(w, N, 79, -1, 1);
  double *x = &m.mean, *dx = &d.mean, *tx = &t.mean;
  __enzyme_autodiff((void *)arma, &m, &d, s, ds, N, enzyme_const, NULL);
  CHECK_SLOPES("model", REALS, x, dx, arma(&m, s, N, NULL));
  CHECK_SLOPES("series", N, s, ds, arma(&m, s, N, NULL));
  CHECK("forward", __enzyme_fwddiff((void *)arma, &m, &t, s, ts, N, enzyme_const, NULL),
        innerProduct(tx, dx, REALS) + innerProduct(ts, ds, N));

  Model e;
  memset(&e, 0, sizeof e);
  memcpy(dv, w, sizeof w);
  __enzyme_autodiff((void *)arma, &m, &e, s, ds + N, N, v, dv);
  CHECK_SLOPES("with innovations", REALS, x, &e.mean, arma(&m, s, N, v) + innerProduct(w, v, N));
  double tangent = __enzyme_fwddiff((void *)arma, &m, &t, s, ts, N, v, tv);
  CHECK("innovations forward", tangent + innerProduct(w, tv, N),
        innerProduct(tx, &e.mean, REALS) + innerProduct(ts, ds + N, N));
  return finish();
}
