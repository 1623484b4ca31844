// A gated recurrent network whose work arrays are static, with dropout masks and gradient of inputs.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define UNITS 4
#define INPUTS 3

static struct {
  double state[UNITS], reset[UNITS], update[UNITS];
  unsigned long steps;
} work;

typedef struct {
  double in[UNITS][INPUTS], back[UNITS][UNITS], bias[UNITS];
} Gate;
typedef struct {
  Gate reset, update, candidate;
} Cell;
enum { REALS = sizeof(Cell) / sizeof(double) };

static double linear(const Gate *g, int unit, const double *x, const double *state) {
  double sum = g->bias[unit];
  for (int i = 0; i < INPUTS; i++)
    sum += g->in[unit][i] * x[i];
  for (int i = 0; i < UNITS; i++)
    sum += g->back[unit][i] * state[i];
  return sum;
}
static double logistic(double x) { return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x)); }

static void advance(const Cell *c, const double *x, unsigned mask) {
  double gated[UNITS];
  for (int u = 0; u < UNITS; u++) {
    work.reset[u] = logistic(linear(&c->reset, u, x, work.state));
    work.update[u] = logistic(linear(&c->update, u, x, work.state));
  }
  for (int u = 0; u < UNITS; u++)
    gated[u] = work.reset[u] * work.state[u];
  for (int u = 0; u < UNITS; u++) {
    double candidate = tanh(linear(&c->candidate, u, x, gated));
    work.state[u] += work.update[u] * ((mask >> u & 1 ? 1.25 * candidate : 0) - work.state[u]);
  }
  work.steps++;
}

double energy(const Cell *c, const double (*sequence)[INPUTS], int n) {
  static const unsigned masks[] = {15, 11, 7, 14};
  double sum = 0;
  memset(work.state, 0, sizeof work.state);
  for (int t = 0; t < n; t++) {
    advance(c, sequence[t], masks[t % 4]);
    for (int u = 0; u < UNITS; u++)
      sum += work.state[u] * work.state[(u + 1) % UNITS];
  }
  return sum;
}

enum { N = 6, ALL = REALS + N * INPUTS };

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0};
  fill(x, ALL, 98, -1, 1);
  fill(t, ALL, 99, -1, 1);
  __enzyme_autodiff((void *)energy, x, d, x + REALS, d + REALS, N);
  CHECK("steps", work.steps, N);
  CHECK_SLOPES("x", ALL, x, d, energy((const Cell *)x, (const double (*)[INPUTS])(x + REALS), N));
  CHECK_FORWARD("energy", __enzyme_fwddiff((void *)energy, x, t, x + REALS, t + REALS, N), ALL, t,
                d);
  return finish();
}
