// Structures: by pointer, by value, returned, nested with integers, with pointers to arrays.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef struct {
  double mass;
  int id;
  double at[3];
  float weight;
} Particle;
typedef struct {
  int n;
  double *x, *y;
  double scale;
} Cloud;
typedef struct {
  double a, b, c, d;
} Quad;

double momentum(const Particle *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double r = 0;
    for (int k = 0; k < 3; k++)
      r += p[i].at[k] * p[i].at[k];
    sum += p[i].mass * sqrt(r) * (p[i].id % 2 ? 2 : 1);
  }
  return sum;
}
double spread(const Cloud *c) {
  double sum = 0;
  for (int i = 0; i < c->n; i++)
    sum += c->scale * c->x[i] * c->y[i] * c->y[c->n - 1 - i];
  return sum;
}
__attribute__((noinline)) static Quad mix(Quad q, double t) {
  Quad r = {q.b * t, q.c - q.a, q.d * q.a, t * t};
  return r;
}
double rounds(const Quad *q, double t) {
  Quad r = *q;
  for (int i = 0; i < 4; i++)
    r = mix(r, t + i * r.d);
  return r.a + 2 * r.b * r.c + r.d;
}
__attribute__((noinline)) static void moveBy(Particle *p, const Quad *q) {
  Particle old = *p;
  p->at[0] = old.at[1] * q->a;
  p->at[1] = old.at[2] + q->b * old.mass;
  p->mass = old.mass * q->c;
}
double moved(const Particle *p, const Quad *q) {
  Particle mine = *p;
  for (int i = 0; i < 3; i++)
    moveBy(&mine, q);
  return mine.mass * mine.at[0] + mine.at[1] * mine.at[2];
}

int main(void) {
  Particle p[3] = {{1.5, 7, {1, 2, 3}, 0}, {0.5, 4, {-1, 0.5, 2}, 0}, {2, 9, {0.3, 0.2, -1}, 0}};
  Particle dp[3] = {{0}};
  __enzyme_autodiff((void *)momentum, p, dp, 3);
  for (int i = 0; i < 3; i++) {
    CHECK_AT("mass", i, dp[i].mass, SLOPE(p[i].mass, momentum(p, 3)));
    for (int k = 0; k < 3; k++)
      CHECK_AT("at", 3 * i + k, dp[i].at[k], SLOPE(p[i].at[k], momentum(p, 3)));
  }

  double x[4], y[4], dx[4] = {0}, dy[4] = {0}, t[8];
  fill(x, 4, 1, -1, 1);
  fill(y, 4, 2, -1, 1);
  fill(t, 8, 3, -1, 1);
  Cloud c = {4, x, y, 1.5}, dc = {4, dx, dy, 0}, tc = {4, t, t + 4, 0.5};
  __enzyme_autodiff((void *)spread, &c, &dc);
  for (int i = 0; i < 4; i++) {
    CHECK_AT("x", i, dx[i], SLOPE(x[i], spread(&c)));
    CHECK_AT("y", i, dy[i], SLOPE(y[i], spread(&c)));
  }
  CHECK("scale", dc.scale, SLOPE(c.scale, spread(&c)));
  CHECK("cloud jvp", __enzyme_fwddiff((void *)spread, &c, &tc),
        innerProduct(t, dx, 4) + innerProduct(t + 4, dy, 4) + 0.5 * dc.scale);

  Quad q = {0.4, 0.7, 0.9, 1.1}, dq = {0}, dm = {0}, tq = {1, -1, 0.5, 2};
  double s = 0.8, ds = __enzyme_autodiff((void *)rounds, &q, &dq, s);
  CHECK("rounds s", ds, SLOPE(s, rounds(&q, s)));
  CHECK("rounds a", dq.a, SLOPE(q.a, rounds(&q, s)));
  CHECK("rounds b", dq.b, SLOPE(q.b, rounds(&q, s)));
  CHECK("rounds c", dq.c, SLOPE(q.c, rounds(&q, s)));
  CHECK("rounds d", dq.d, SLOPE(q.d, rounds(&q, s)));
  CHECK("rounds jvp", __enzyme_fwddiff((void *)rounds, &q, &tq, s, 3.0),
        innerProduct(&tq.a, &dq.a, 4) + 3 * ds);

  Particle d = {0};
  __enzyme_autodiff((void *)moved, p, &d, &q, &dm);
  CHECK("moved mass", d.mass, SLOPE(p->mass, moved(p, &q)));
  for (int k = 0; k < 3; k++)
    CHECK_AT("moved at", k, d.at[k], SLOPE(p->at[k], moved(p, &q)));
  CHECK("moved a", dm.a, SLOPE(q.a, moved(p, &q)));
  CHECK("moved c", dm.c, SLOPE(q.c, moved(p, &q)));
  return finish();
}
