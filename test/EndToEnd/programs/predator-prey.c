// Lotka-Volterra with events: harvest when a threshold is crossed, located inside the step.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double birth, hunt, death, feed, threshold, harvest;
} Rates;
typedef struct {
  double time, prey, predators;
} State;
typedef struct {
  State *items;
  int count, capacity;
} History;
enum { RATES = sizeof(Rates) / sizeof(double) };

static void remember(History *h, const State *s) {
  if (h->count < h->capacity)
    h->items[h->count++] = *s;
}
static State slope(const Rates *r, State s) {
  return (State){1, (r->birth - r->hunt * s.predators) * s.prey,
                 (r->feed * s.prey - r->death) * s.predators};
}
static State move(State s, double h, State by) {
  s.time += h * by.time;
  s.prey += h * by.prey;
  s.predators += h * by.predators;
  return s;
}
static State step(const Rates *r, State s, double h) {
  State a = slope(r, s), b = slope(r, move(s, h / 2, a)), c = slope(r, move(s, h / 2, b));
  State d = slope(r, move(s, h, c));
  s = move(s, h / 6, a);
  s = move(s, h / 3, b);
  s = move(s, h / 3, c);
  return move(s, h / 6, d);
}

/* Runs to the end; each time the prey outgrows the threshold, a part is harvested. */
double run(const Rates *r, double prey, double predators, double end, double dt, History *events) {
  State s = {0, prey, predators};
  double yield = 0;
  while (s.time < end - 1e-9) {
    double h = fmin(dt, end - s.time);
    State next = step(r, s, h);
    if (s.prey < r->threshold && next.prey >= r->threshold) {
      double at = h * (r->threshold - s.prey) / (next.prey - s.prey), miss;
      int tries = 0;
      do {
        State hit = step(r, s, at);
        miss = hit.prey - r->threshold;
        at -= miss / slope(r, hit).prey;
      } while (fabs(miss) > 1e-13 && ++tries < 10);
      next = step(r, s, at);
      yield += r->harvest * next.prey;
      next.prey *= 1 - r->harvest;
      remember(events, &next);
    }
    s = next;
  }
  return yield + s.prey + 2 * s.predators;
}

int main(void) {
  Rates r = {1.1, 0.4, 0.4, 0.1, 6.0, 0.35}, d = {0}, t = {0.2, -0.1, 0.4, 0.05, 1, -0.3};
  State seen[8];
  History events = {seen, 0, 8}, ignored = {seen, 0, 0};
  double prey = 4, predators = 1, g[2];
  g[0] = __enzyme_autodiff((void *)run, &r, &d, prey, enzyme_const, predators, enzyme_const, 5.5,
                           enzyme_const, 0.25, enzyme_const, &events);
  show("events", events.count, 0);
  if (events.count < 2)
    failures++;
  g[1] = __enzyme_autodiff((void *)run, enzyme_const, &r, enzyme_const, prey, predators,
                           enzyme_const, 5.5, enzyme_const, 0.25, enzyme_const, &ignored);
  double *x = (double *)&r, *dx = (double *)&d;
  for (int i = 0; i < RATES; i++)
    checkWithin("rate", i, dx[i],
                SLOPE_WITHIN(2e-5, x[i], run(&r, prey, predators, 5.5, 0.25, &ignored)), 1e-7,
                1e-8);
  checkWithin("prey", -1, g[0],
              SLOPE_WITHIN(2e-5, prey, run(&r, prey, predators, 5.5, 0.25, &ignored)), 1e-7, 1e-8);
  checkWithin("predators", -1, g[1],
              SLOPE_WITHIN(2e-5, predators, run(&r, prey, predators, 5.5, 0.25, &ignored)), 1e-7,
              1e-8);
  double tangent = __enzyme_fwddiff((void *)run, &r, &t, prey, 0.5, predators, -0.7, enzyme_const,
                                    5.5, enzyme_const, 0.25, enzyme_const, &ignored);
  CHECK("forward", tangent, innerProduct((double *)&t, dx, RATES) + 0.5 * g[0] - 0.7 * g[1]);
  return finish();
}
