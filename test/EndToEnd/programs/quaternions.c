// Orientation by quaternions: products, normalisation, slerp with its nearly parallel branch.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef union {
  struct {
    double w, x, y, z;
  };
  double q[4];
} Quaternion;

static Quaternion multiply(const Quaternion a, const Quaternion b) {
  Quaternion r;
  r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
  r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
  r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
  r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
  return r;
}
static Quaternion conjugate(Quaternion a) {
  a.x = -a.x;
  a.y = -a.y;
  a.z = -a.z;
  return a;
}
static void normalize(Quaternion *a) {
  double n = 0;
  for (int i = 0; i < 4; i++)
    n += a->q[i] * a->q[i];
  n = 1 / sqrt(n);
  for (int i = 0; i < 4; i++)
    a->q[i] *= n;
}
static Quaternion slerp(Quaternion a, Quaternion b, double t) {
  double cosine = 0;
  for (int i = 0; i < 4; i++)
    cosine += a.q[i] * b.q[i];
  if (cosine < 0) {
    cosine = -cosine;
    for (int i = 0; i < 4; i++)
      b.q[i] = -b.q[i];
  }
  double u = 1 - t, v = t;
  if (cosine < 0.9995) {
    double angle = acos(cosine), s = sin(angle);
    u = sin((1 - t) * angle) / s;
    v = sin(t * angle) / s;
  }
  Quaternion r;
  for (int i = 0; i < 4; i++)
    r.q[i] = u * a.q[i] + v * b.q[i];
  normalize(&r);
  return r;
}

/* Integrates angular velocity, then blends with a measurement; returns the turned vector. */
void track(const Quaternion *start, const double rates[][3], int n, double dt, double blend,
           const Quaternion *measured, double turned[3]) {
  Quaternion now = *start, m = *measured;
  normalize(&now);
  normalize(&m);
  for (int i = 0; i < n; i++) {
    Quaternion step = {{1, rates[i][0] * dt / 2, rates[i][1] * dt / 2, rates[i][2] * dt / 2}};
    now = multiply(now, step);
    normalize(&now);
    now = slerp(now, m, blend);
  }
  Quaternion v = {{0, 1, -2, 0.5}};
  v = multiply(multiply(now, v), conjugate(now));
  turned[0] = v.x;
  turned[1] = v.y;
  turned[2] = v.z;
}

enum { N = 5, ALL = 8 + 3 * N };
static const double u[3] = {0.7, -1.1, 0.4};
static double weighted(const double *x) {
  double turned[3];
  track((const Quaternion *)x, (const double (*)[3])(x + 8), N, 0.1, 0.2,
        (const Quaternion *)(x + 4), turned);
  return innerProduct(u, turned, 3);
}

int main(void) {
  for (int close = 0; close < 2; close++) {
    double x[ALL], d[ALL] = {0}, t[ALL], turned[3], du[3], tt[3] = {0};
    fill(x, ALL, 44, -1, 1);
    fill(t, ALL, 45, -1, 1);
    if (close) { /* stays in the nearly parallel branch */
      for (int i = 0; i < 4; i++)
        x[4 + i] = x[i] + 0.01;
      for (int i = 8; i < ALL; i++)
        x[i] *= 0.1;
    }
    memcpy(du, u, sizeof du);
    __enzyme_autodiff((void *)track, x, d, x + 8, d + 8, N, enzyme_const, 0.1, enzyme_const, 0.2,
                      x + 4, d + 4, turned, du);
    CHECK_SLOPES_WITHIN(1e-3, "x", ALL, x, d, weighted(x));
    __enzyme_fwddiff((void *)track, x, t, x + 8, t + 8, N, enzyme_const, 0.1, enzyme_const, 0.2,
                     x + 4, t + 4, turned, tt);
    CHECK_FORWARD("track", innerProduct(u, tt, 3), ALL, t, d);
  }
  return finish();
}
