// Runge-Kutta on a predator-prey model: functions that fill arrays, called in a time loop.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { STATES = 2, PARAMETERS = 4 };

static void rates(double *d, const double *s, const double *p) {
  d[0] = p[0] * s[0] - p[1] * s[0] * s[1];
  d[1] = p[2] * s[0] * s[1] - p[3] * s[1];
}
static __attribute__((noinline)) void advance(double *s, const double *p, double h) {
  double k1[STATES], k2[STATES], k3[STATES], k4[STATES], at[STATES];
  rates(k1, s, p);
  for (int i = 0; i < STATES; i++)
    at[i] = s[i] + h / 2 * k1[i];
  rates(k2, at, p);
  for (int i = 0; i < STATES; i++)
    at[i] = s[i] + h / 2 * k2[i];
  rates(k3, at, p);
  for (int i = 0; i < STATES; i++)
    at[i] = s[i] + h * k3[i];
  rates(k4, at, p);
  for (int i = 0; i < STATES; i++)
    s[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}
double simulate(const double *start, const double *p, int steps) {
  double s[STATES] = {start[0], start[1]}, total = 0;
  for (int i = 0; i < steps; i++) {
    advance(s, p, 0.05);
    total += (s[0] - 1) * (s[0] - 1) + s[1] * s[1];
  }
  return total / steps;
}

int main(void) {
  double s[STATES] = {1.2, 0.8}, p[PARAMETERS] = {1.1, 0.4, 0.3, 0.9};
  double ds[STATES] = {0}, dp[PARAMETERS] = {0};
  double ts[STATES] = {0.4, -0.7}, tp[PARAMETERS] = {1, -0.5, 0.25, 2};
  __enzyme_autodiff((void *)simulate, s, ds, p, dp, 150);
  for (int i = 0; i < STATES; i++)
    CHECK_AT("start", i, ds[i], SLOPE(s[i], simulate(s, p, 150)));
  for (int i = 0; i < PARAMETERS; i++)
    CHECK_AT("parameter", i, dp[i], SLOPE(p[i], simulate(s, p, 150)));
  CHECK("jvp", __enzyme_fwddiff((void *)simulate, s, ts, p, tp, 150),
        innerProduct(ts, ds, STATES) + innerProduct(tp, dp, PARAMETERS));

  double only[PARAMETERS] = {0};
  __enzyme_autodiff((void *)simulate, enzyme_const, s, enzyme_dup, p, only, enzyme_const, 150);
  for (int i = 0; i < PARAMETERS; i++)
    CHECK_AT("parameter, start constant", i, only[i], dp[i]);
  return finish();
}
