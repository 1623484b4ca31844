// Burgers' equation by finite volumes: ghost cells before the array, slope limiters, Godunov flux.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define GHOSTS 2

typedef enum { MINMOD, SUPERBEE, VAN_LEER } limiter_t;

static double minmod(double a, double b) {
  if (a * b <= 0)
    return 0;
  return fabs(a) < fabs(b) ? a : b;
}
static double limited(limiter_t kind, double a, double b) {
  switch (kind) {
  case SUPERBEE: {
    double s = minmod(a, 2 * b), t = minmod(2 * a, b);
    return fabs(s) > fabs(t) ? s : t;
  }
  case VAN_LEER:
    return a * b > 0 ? 2 * a * b / (a + b) : 0;
  default:
    return minmod(a, b);
  }
}
static double godunov(double left, double right) {
  if (left > right) /* shock */
    return 0.5 * (left + right > 0 ? left * left : right * right);
  if (left > 0)
    return 0.5 * left * left;
  if (right < 0)
    return 0.5 * right * right;
  return 0;
}
static void boundary(double *u, int n) {
  for (int g = 1; g <= GHOSTS; g++) {
    u[-g] = u[n - g];
    u[n - 1 + g] = u[g - 1];
  }
}
static double fastest(const double *u, int n) {
  double speed = 1e-3;
  for (const double *p = u; p != u + n; ++p)
    if (fabs(*p) > speed)
      speed = fabs(*p);
  return speed;
}

/* Advances u to the time end with steps limited by the fastest wave; returns their number. */
int evolve(double *state, int n, double dx, double end, double courant, limiter_t kind) {
  double buffer[n + 2 * GHOSTS], flux[n + 1], *u = buffer + GHOSTS;
  double t = 0;
  int steps = 0;
  for (int i = 0; i < n; i++)
    u[i] = state[i];
  while (t < end && steps < 500) {
    double dt = courant * dx / fastest(u, n);
    if (t + dt > end)
      dt = end - t;
    boundary(u, n);
    for (int i = 0; i <= n; i++) {
      double sl = limited(kind, u[i - 1] - u[i - 2], u[i] - u[i - 1]);
      double sr = limited(kind, u[i] - u[i - 1], u[i + 1] - u[i]);
      double left = u[i - 1] + 0.5 * (1 - u[i - 1] * dt / dx) * sl;
      double right = u[i] - 0.5 * (1 + u[i] * dt / dx) * sr;
      flux[i] = godunov(left, right);
    }
    for (int i = 0; i < n; i++)
      u[i] -= dt / dx * (flux[i + 1] - flux[i]);
    t += dt;
    steps++;
  }
  for (int i = 0; i < n; i++)
    state[i] = u[i];
  return steps;
}

enum { N = 16 };

static double weighted(const double *start, const double *w, limiter_t kind) {
  double u[N];
  memcpy(u, start, sizeof u);
  evolve(u, N, 1.0 / N, 0.13, 0.4, kind);
  return innerProduct(w, u, N);
}

int main(void) {
  double start[N], u[N], d[N], w[N], t[N], tu[N];
  fill(w, N, 1, -1, 1);
  fill(t, N, 2, -1, 1);
  fill(start, N, 3, -0.1, 0.1);
  for (int i = 0; i < N; i++)
    start[i] += 0.3 + sin(2 * M_PI * (i + 0.3) / N);
  for (int kind = MINMOD; kind <= VAN_LEER; kind++) {
    memcpy(u, start, sizeof u);
    memcpy(d, w, sizeof d);
    __enzyme_autodiff((void *)evolve, u, d, N, enzyme_const, 1.0 / N, enzyme_const, 0.13,
                      enzyme_const, 0.4, (limiter_t)kind);
    CHECK_SLOPES_WITHIN(1e-5, "start", N, start, d, weighted(start, w, (limiter_t)kind));
    memcpy(u, start, sizeof u);
    memcpy(tu, t, sizeof tu);
    __enzyme_fwddiff((void *)evolve, u, tu, N, enzyme_const, 1.0 / N, enzyme_const, 0.13,
                     enzyme_const, 0.4, (limiter_t)kind);
    CHECK_FORWARD("evolve", innerProduct(w, tu, N), N, t, d);
  }
  return finish();
}
