// An embedded Runge-Kutta pair whose steps are accepted or rejected by an error estimate.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define STAGES 6
static const double nodes[STAGES] = {0, 1. / 4, 3. / 8, 12. / 13, 1, 1. / 2};
static const double table[STAGES][STAGES - 1] = {
    {0},
    {1. / 4},
    {3. / 32, 9. / 32},
    {1932. / 2197, -7200. / 2197, 7296. / 2197},
    {439. / 216, -8, 3680. / 513, -845. / 4104},
    {-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}};
static const double fifth[STAGES] = {16. / 135,      0,        6656. / 12825,
                                     28561. / 56430, -9. / 50, 2. / 55};
static const double fourth[STAGES] = {25. / 216, 0, 1408. / 2565, 2197. / 4104, -1. / 5, 0};

struct oscillator {
  double mu, drive;
};
struct statistics {
  int accepted, rejected;
};

static void slope(const struct oscillator *o, double t, const double y[2], double f[2]) {
  f[0] = y[1];
  f[1] = o->mu * (1 - y[0] * y[0]) * y[1] - y[0] + o->drive * cos(t);
}
/* Step sizes depend on the error only by halving and doubling: what is derived is the path. */
static void integrate(const struct oscillator *o, double y[2], double end,
                      struct statistics *count) {
  double t = 0, h = 0.5, k[STAGES][2];
  while (t < end) {
    if (t + h > end)
      h = end - t;
    for (int s = 0; s < STAGES; s++) {
      double z[2] = {y[0], y[1]};
      for (int r = 0; r < s; r++)
        for (int i = 0; i < 2; i++)
          z[i] += h * table[s][r] * k[r][i];
      slope(o, t + nodes[s] * h, z, k[s]);
    }
    double error = 0, next[2] = {y[0], y[1]};
    for (int i = 0; i < 2; i++) {
      double difference = 0;
      for (int s = 0; s < STAGES; s++) {
        next[i] += h * fifth[s] * k[s][i];
        difference += h * (fifth[s] - fourth[s]) * k[s][i];
      }
      error = fmax(error, fabs(difference));
    }
    if (error > 1e-5) {
      h /= 2;
      count->rejected++;
      continue;
    }
    t += h;
    y[0] = next[0];
    y[1] = next[1];
    count->accepted++;
    if (error < 1e-7)
      h *= 2;
  }
}

double amplitude(const struct oscillator *o, double x, double v, struct statistics *count) {
  double y[2] = {x, v};
  integrate(o, y, 3.0, count);
  return y[0] * y[0] + y[1] * y[1];
}

int main(void) {
  struct oscillator o = {1.5, 0.4}, d = {0}, to = {0.3, -0.7};
  struct statistics count = {0}, ignored;
  double start[2] = {1.2, -0.3}, t[2] = {0.8, 0.1}, ds[2] = {0};
  ds[0] = __enzyme_autodiff((void *)amplitude, &o, &d, start[0], enzyme_const, start[1],
                            enzyme_const, &count);
  ds[1] = __enzyme_autodiff((void *)amplitude, enzyme_const, &o, enzyme_const, start[0], start[1],
                            enzyme_const, &ignored);
  show("accepted", count.accepted, 0);
  show("rejected", count.rejected, 0);
  CHECK_SLOPES_WITHIN(1e-4, "oscillator", 2, &o.mu, &d.mu,
                      amplitude(&o, start[0], start[1], &ignored));
  CHECK_SLOPES_WITHIN(1e-4, "start", 2, start, ds, amplitude(&o, start[0], start[1], &ignored));
  double tangent = __enzyme_fwddiff((void *)amplitude, &o, &to, start[0], t[0], start[1], t[1],
                                    enzyme_const, &ignored);
  CHECK("forward", tangent, innerProduct(&to.mu, &d.mu, 2) + innerProduct(t, ds, 2));
  return finish();
}
