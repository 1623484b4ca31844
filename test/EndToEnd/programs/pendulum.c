// A double pendulum with a symplectic splitting: state in statics-free structs, integrator by table.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double length[2], mass[2], gravity;
} Pendulum;
typedef struct {
  double angle[2], momentum[2];
} Phase;

typedef struct {
  double drift, kick;
} Stage;
/* Coefficients of Yoshida's fourth-order splitting. */
#define W1 1.3512071919596578
#define W0 (1 - 2 * W1)
static const Stage stages[] = {{W1 / 2, W1}, {(W0 + W1) / 2, W0}, {(W0 + W1) / 2, W1}, {W1 / 2, 0}};

static double potential(const Pendulum *p, const Phase *s) {
  double y1 = -p->length[0] * cos(s->angle[0]), y2 = y1 - p->length[1] * cos(s->angle[1]);
  return p->gravity * (p->mass[0] * y1 + p->mass[1] * y2);
}
static void force(const Pendulum *p, const Phase *s, double f[2]) {
  f[0] = -p->gravity * (p->mass[0] + p->mass[1]) * p->length[0] * sin(s->angle[0]);
  f[1] = -p->gravity * p->mass[1] * p->length[1] * sin(s->angle[1]);
  const double spring = 0.3 * sin(s->angle[0] - s->angle[1]);
  f[0] -= spring;
  f[1] += spring;
}
static double inertia(const Pendulum *p, int i) { return p->mass[i] * p->length[i] * p->length[i]; }

/* Returns the number of times the first pendulum passes the vertical. */
int swing(const Pendulum *p, const Phase *start, Phase *end, int steps, double dt) {
  int passes = 0;
  *end = *start;
  for (int n = 0; n < steps; n++) {
    const double before = end->angle[0];
    for (const Stage *s = stages; s < stages + 4; ++s) {
      for (int i = 0; i < 2; i++)
        end->angle[i] += s->drift * dt * end->momentum[i] / inertia(p, i);
      if (s->kick == 0)
        continue;
      double f[2];
      force(p, end, f);
      for (int i = 0; i < 2; i++)
        end->momentum[i] += s->kick * dt * f[i];
    }
    passes += (before < 0) != (end->angle[0] < 0);
  }
  return passes;
}
double energyDrift(const Pendulum *p, const Phase *start, int steps, double dt) {
  Phase end;
  double before = potential(p, start), after;
  swing(p, start, &end, steps, dt);
  after = potential(p, &end);
  for (int i = 0; i < 2; i++) {
    before += start->momentum[i] * start->momentum[i] / (2 * inertia(p, i));
    after += end.momentum[i] * end.momentum[i] / (2 * inertia(p, i));
  }
  return (after - before) * 10;
}

int main(void) {
  Pendulum p = {{1, 0.7}, {1.2, 0.8}, 9.81}, dp, tp = {{0.2, -0.3}, {0.5, 0.1}, 1};
  Phase s = {{1.1, -0.4}, {0.3, 0.2}}, ds, ts = {{1, -0.5}, {0.2, 0.7}}, end, dend, tend;
  const Phase weights = {{0.4, -1}, {0.9, 0.3}};
  double *x = (double *)&p, *y = (double *)&s, *gx = (double *)&dp, *gy = (double *)&ds;
  const double *w = (const double *)&weights;
  memset(&dp, 0, sizeof dp);
  memset(&ds, 0, sizeof ds);
  dend = weights;
  __enzyme_autodiff((void *)swing, &p, &dp, &s, &ds, &end, &dend, 40, enzyme_const, 0.05);
#define WEIGHTED (swing(&p, &s, &end, 40, 0.05), innerProduct(w, (double *)&end, 4))
  CHECK_SLOPES_WITHIN(1e-3, "pendulum", 5, x, gx, WEIGHTED);
  CHECK_SLOPES_WITHIN(1e-3, "start", 4, y, gy, WEIGHTED);
  show("passes", swing(&p, &s, &end, 40, 0.05), 0);
  __enzyme_fwddiff((void *)swing, &p, &tp, &s, &ts, &end, &tend, 40, enzyme_const, 0.05);
  CHECK("forward", innerProduct(w, (double *)&tend, 4),
        innerProduct((double *)&tp, gx, 5) + innerProduct((double *)&ts, gy, 4));

  double dt = 0.05;
  memset(&dp, 0, sizeof dp);
  memset(&ds, 0, sizeof ds);
  double ddt = __enzyme_autodiff((void *)energyDrift, &p, &dp, &s, &ds, 20, dt);
  CHECK_SLOPES_WITHIN(1e-3, "drift", 5, x, gx, energyDrift(&p, &s, 20, dt));
  CHECK("drift dt", ddt, SLOPE_WITHIN(1e-3, dt, energyDrift(&p, &s, 20, dt)));
  return finish();
}
