// Newton's method for a system: Jacobian by hand, line search with early exit, a status enum.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef enum { CONVERGED, DIVERGED, SINGULAR } Status;
typedef struct {
  double k1, k2, k3;
} Rates;
typedef double Vec2[2];

/* Steady state of two reacting species. */
static void residual(const Rates *p, const Vec2 y, Vec2 r) {
  r[0] = p->k1 - y[0] * y[0] * y[1] - p->k3 * y[0];
  r[1] = p->k2 + p->k3 * y[0] * exp(-y[1]) - 2 * y[1];
}
static void jacobian(const Rates *p, const Vec2 y, double j[2][2]) {
  j[0][0] = -2 * y[0] * y[1] - p->k3;
  j[0][1] = -y[0] * y[0];
  j[1][0] = p->k3 * exp(-y[1]);
  j[1][1] = -p->k3 * y[0] * exp(-y[1]) - 2;
}
static double norm(const Vec2 r) { return sqrt(r[0] * r[0] + r[1] * r[1]); }

static Status newton(const Rates *p, Vec2 y, int *steps) {
  for (*steps = 0; *steps < 50; ++*steps) {
    Vec2 r, s, trial, after;
    double j[2][2];
    residual(p, y, r);
    if (norm(r) < 1e-13)
      return CONVERGED;
    jacobian(p, y, j);
    const double determinant = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    if (fabs(determinant) < 1e-14)
      return SINGULAR;
    s[0] = (r[0] * j[1][1] - r[1] * j[0][1]) / determinant;
    s[1] = (r[1] * j[0][0] - r[0] * j[1][0]) / determinant;
    for (double damping = 1; damping > 1e-3; damping /= 2) {
      for (int i = 0; i < 2; i++)
        trial[i] = y[i] - damping * s[i];
      residual(p, trial, after);
      if (norm(after) < norm(r))
        break;
    }
    memcpy(y, trial, sizeof trial);
  }
  return DIVERGED;
}

double steadyState(const Rates *p, double start, Status *status) {
  Vec2 y = {start, 2 * start};
  int steps;
  *status = newton(p, y, &steps);
  if (*status != CONVERGED)
    return -1;
  return y[0] + 10 * y[1];
}

int main(void) {
  Rates p = {2.5, 0.3, 1.1}, d = {0}, t = {1, -2, 0.5};
  Status status;
  double start = 4;
  double ds = __enzyme_autodiff((void *)steadyState, &p, &d, start, enzyme_const, &status);
  CHECK("status", status, CONVERGED);
  CHECK("start", ds, 0);
  CHECK_SLOPES("rate", 3, &p.k1, &d.k1, steadyState(&p, start, &status));
  CHECK_FORWARD(
      "steady state",
      __enzyme_fwddiff((void *)steadyState, &p, &t, enzyme_const, start, enzyme_const, &status), 3,
      &t.k1, &d.k1);
  return finish();
}
