// A recurrent network with memory cells, parameters in one vector behind named offsets.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define HIDDEN 3
#define INPUT 2
#define GATES 4
enum gate { FORGET, WRITE, READ, CANDIDATE };

#define INPUT_WEIGHT(P, G, H, I) (P)[((G) * HIDDEN + (H)) * INPUT + (I)]
#define STATE_WEIGHT(P, G, H, K) (P)[GATES * HIDDEN * INPUT + ((G) * HIDDEN + (H)) * HIDDEN + (K)]
#define BIAS(P, G, H) (P)[GATES * HIDDEN * (INPUT + HIDDEN) + (G) * HIDDEN + (H)]
#define PARAMETERS (GATES * HIDDEN * (INPUT + HIDDEN + 1))

typedef struct {
  double hidden[HIDDEN], cell[HIDDEN];
} State;

static inline double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

static double gateValue(const double *p, enum gate g, int h, const double *x, const State *s) {
  double sum = BIAS(p, g, h);
  for (int i = 0; i < INPUT; i++)
    sum += INPUT_WEIGHT(p, g, h, i) * x[i];
  for (int k = 0; k < HIDDEN; k++)
    sum += STATE_WEIGHT(p, g, h, k) * s->hidden[k];
  return g == CANDIDATE ? tanh(sum) : sigmoid(sum);
}
static State advance(const double *p, const double *x, const State *s) {
  State next;
  for (int h = 0; h < HIDDEN; h++) {
    double keep = gateValue(p, FORGET, h, x, s), write = gateValue(p, WRITE, h, x, s);
    next.cell[h] = keep * s->cell[h] + write * gateValue(p, CANDIDATE, h, x, s);
    next.hidden[h] = gateValue(p, READ, h, x, s) * tanh(next.cell[h]);
  }
  return next;
}

/* Sum of squared errors of predicting the next input's first component. */
double sequenceLoss(const double *p, const double *out, double sequence[][INPUT], int n) {
  State s = {{0}, {0}};
  double loss = 0;
  for (int t = 0; t + 1 < n; t++) {
    s = advance(p, sequence[t], &s);
    double guess = 0;
    for (int h = 0; h < HIDDEN; h++)
      guess += out[h] * s.hidden[h];
    double error = guess - sequence[t + 1][0];
    loss += error * error;
  }
  return loss / (n - 1);
}

enum { N = 9, ALL = PARAMETERS + HIDDEN + N * INPUT };

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0};
  double *out = x + PARAMETERS;
  double (*sequence)[INPUT] = (double (*)[INPUT])(x + PARAMETERS + HIDDEN);
  fill(x, ALL, 91, -1, 1);
  fill(t, ALL, 92, -1, 1);
  const int o = PARAMETERS, q = PARAMETERS + HIDDEN;
  __enzyme_autodiff((void *)sequenceLoss, x, d, out, d + o, sequence, d + q, N);
  CHECK_SLOPES("x", ALL, x, d, sequenceLoss(x, out, sequence, N));
  double tangent = __enzyme_fwddiff((void *)sequenceLoss, x, t, out, t + o, sequence, t + q, N);
  CHECK_FORWARD("loss", tangent, ALL, t, d);
  return finish();
}
