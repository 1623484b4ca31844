// An integrator that chooses its own steps: trials that are rejected, state copied and restored.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 3 };
typedef struct {
  double y[N], time;
} State;

static void slope(double *d, const double *y, const double *p) {
  d[0] = p[0] * (y[1] - y[0]);
  d[1] = y[0] * (p[1] - y[2]) - y[1];
  d[2] = y[0] * y[1] - p[2] * y[2];
}
static __attribute__((noinline)) State heun(State s, const double *p, double h) {
  double a[N], b[N], mid[N];
  slope(a, s.y, p);
  for (int i = 0; i < N; i++)
    mid[i] = s.y[i] + h * a[i];
  slope(b, mid, p);
  for (int i = 0; i < N; i++)
    s.y[i] += h / 2 * (a[i] + b[i]);
  s.time += h;
  return s;
}
double integrate(const double *start, const double *p, double end) {
  State s = {{start[0], start[1], start[2]}, 0};
  double h = 0.02;
  int rejected = 0;
  while (end - s.time > 1e-12 && rejected < 100) {
    if (s.time + h > end)
      h = end - s.time;
    State whole = heun(s, p, h), half = heun(heun(s, p, h / 2), p, h / 2);
    double error = 0;
    for (int i = 0; i < N; i++)
      error = fmax(error, fabs(whole.y[i] - half.y[i]));
    if (error > 2e-3) {
      h /= 2;
      rejected++;
      continue;
    }
    s = half;
    if (error < 2e-4)
      h *= 1.5;
  }
  return s.y[0] * s.y[0] + s.y[1] - s.y[2] + 0.001 * rejected;
}

int main(void) {
  double y[N] = {1, 1.5, 9}, p[N] = {10, 28, 8.0 / 3}, dy[N] = {0}, dp[N] = {0}, end = 0.3;
  double ty[N] = {1, 0.5, -1}, tp[N] = {-0.25, 1, 2}, h = 1e-6, along[2];
  __enzyme_autodiff((void *)integrate, y, dy, p, dp, enzyme_const, end);
  double t = __enzyme_fwddiff((void *)integrate, y, ty, p, tp, enzyme_const, end);
  CHECK("jvp", t, innerProduct(ty, dy, N) + innerProduct(tp, dp, N));
  for (int side = 0; side < 2; side++) {
    double ys[N], ps[N], by = side ? -h : h;
    for (int i = 0; i < N; i++) {
      ys[i] = y[i] + by * ty[i];
      ps[i] = p[i] + by * tp[i];
    }
    along[side] = integrate(ys, ps, end);
  }
  checkWithin("slope", -1, t, (along[0] - along[1]) / (2 * h), 1e-6, 1e-9);
  for (int i = 0; i < N; i++)
    CHECK_AT("start", i, dy[i], dy[i]);
  return finish();
}
