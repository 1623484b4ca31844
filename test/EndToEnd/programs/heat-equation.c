// The heat equation in time: two buffers exchanged every step, boundary kinds by enum, a flux out.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

enum boundary { FIXED, INSULATED, PERIODIC };

struct rod {
  int cells;
  enum boundary kind;
  double length;
  const double *conductivity;
};

static double at(const struct rod *r, const double *u, int i) {
  if (i >= 0 && i < r->cells)
    return u[i];
  switch (r->kind) {
  case FIXED:
    return 0;
  case INSULATED:
    return i < 0 ? u[0] : u[r->cells - 1];
  case PERIODIC:
  default:
    return u[(i + r->cells) % r->cells];
  }
}
static void step(const struct rod *r, const double *restrict u, double *restrict v, double dt) {
  const double dx = r->length / r->cells;
  for (int i = 0; i < r->cells; i++) {
    double left = at(r, u, i) - at(r, u, i - 1), right = at(r, u, i + 1) - at(r, u, i);
    double k = r->conductivity[i] * (1 + 0.1 * u[i]);
    v[i] = u[i] + dt / (dx * dx) * k * (right - left);
  }
}

/* Heats the rod and returns the mean square temperature at the end. */
double heat(const struct rod *r, const double *start, double dt, int steps) {
  const size_t bytes = r->cells * sizeof(double);
  double *now = malloc(bytes), *next = malloc(bytes), sum = 0;
  memcpy(now, start, bytes);
  for (int s = 0; s < steps; s++) {
    step(r, now, next, dt);
    double *other = now;
    now = next;
    next = other;
    if (s % 4 == 3)
      now[r->cells / 2] += 0.3 * dt * s;
  }
  for (int i = 0; i < r->cells; i++)
    sum += now[i] * now[i];
  free(now);
  free(next);
  return sum / r->cells;
}

enum { CELLS = 9, STEPS = 13 };

int main(void) {
  double k[CELLS], u[CELLS], t[2 * CELLS], d[2 * CELLS], dt = 0.003;
  fill(k, CELLS, 41, 0.5, 1.5);
  fill(u, CELLS, 42, 0, 2);
  fill(t, 2 * CELLS, 43, -1, 1);
  for (int kind = FIXED; kind <= PERIODIC; kind++) {
    struct rod rod = {CELLS, kind, 1.3, k}, drod = {CELLS, kind, 0, d},
               trod = {CELLS, kind, 0.7, t};
    memset(d, 0, sizeof d);
    double ddt = __enzyme_autodiff((void *)heat, &rod, &drod, u, d + CELLS, dt, STEPS);
    CHECK_SLOPES("k", CELLS, k, d, heat(&rod, u, dt, STEPS));
    CHECK_SLOPES("u", CELLS, u, d + CELLS, heat(&rod, u, dt, STEPS));
    CHECK("length", drod.length, SLOPE(rod.length, heat(&rod, u, dt, STEPS)));
    CHECK("dt", ddt, SLOPE_WITHIN(1e-4, dt, heat(&rod, u, dt, STEPS)));
    double tangent = __enzyme_fwddiff((void *)heat, &rod, &trod, u, t + CELLS, dt, 0.1, STEPS);
    CHECK("forward", tangent, innerProduct(t, d, 2 * CELLS) + 0.7 * drod.length + 0.1 * ddt);
  }
  return finish();
}
