// Bodies under gravity with leapfrog steps: an array of structs, pair forces, energy and momentum.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define SOFTENING 1e-2
#define SQ(X) ((X) * (X))

typedef struct {
  double x, y, z;
} vec3;
typedef struct {
  double mass;
  vec3 position, velocity, force;
} body;
typedef struct {
  int count;
  body *bodies;
} system_t;

static vec3 minus(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static void accumulate(vec3 *a, double f, vec3 b) {
  a->x += f * b.x;
  a->y += f * b.y;
  a->z += f * b.z;
}
static double square(vec3 a) { return SQ(a.x) + SQ(a.y) + SQ(a.z); }

static void forces(system_t *s) {
  for (int i = 0; i < s->count; i++)
    s->bodies[i].force = (vec3){0, 0, 0};
  for (int i = 0; i < s->count; i++)
    for (int j = i + 1; j < s->count; j++) {
      body *a = &s->bodies[i], *b = &s->bodies[j];
      vec3 apart = minus(b->position, a->position);
      double r2 = square(apart) + SOFTENING;
      double f = a->mass * b->mass / (r2 * sqrt(r2));
      accumulate(&a->force, f, apart);
      accumulate(&b->force, -f, apart);
    }
}
static void leapfrog(system_t *s, double dt) {
  for (body *b = s->bodies; b != s->bodies + s->count; ++b) {
    accumulate(&b->velocity, 0.5 * dt / b->mass, b->force);
    accumulate(&b->position, dt, b->velocity);
  }
  forces(s);
  for (body *b = s->bodies; b != s->bodies + s->count; ++b)
    accumulate(&b->velocity, 0.5 * dt / b->mass, b->force);
}

/* Runs a copy of the system; returns the squared distance of the first body from a target. */
double miss(const system_t *start, const vec3 *target, int steps, double dt) {
  system_t s = {start->count, malloc(start->count * sizeof(body))};
  for (int i = 0; i < s.count; i++)
    s.bodies[i] = start->bodies[i];
  forces(&s);
  while (steps-- > 0)
    leapfrog(&s, dt);
  double result = square(minus(s.bodies[0].position, *target));
  free(s.bodies);
  return result;
}

enum { N = 4, STEPS = 10, DOUBLES = N * sizeof(body) / sizeof(double) };

int main(void) {
  body bodies[N], dbodies[N], tbodies[N];
  double *x = (double *)bodies, *d = (double *)dbodies, *t = (double *)tbodies, dt = 0.05;
  fill(x, DOUBLES, 71, -1, 1);
  fill(t, DOUBLES, 72, -1, 1);
  memset(d, 0, sizeof dbodies);
  for (int i = 0; i < N; i++)
    bodies[i].mass = 1 + 0.2 * i;
  system_t s = {N, bodies}, ds = {N, dbodies}, ts = {N, tbodies};
  vec3 target = {0.3, -0.2, 0.5}, dtarget = {0, 0, 0}, ttarget = {1, -1, 0.5};
  double dstep = __enzyme_autodiff((void *)miss, &s, &ds, &target, &dtarget, STEPS, dt);
  CHECK_SLOPES_WITHIN(1e-3, "bodies", DOUBLES, x, d, miss(&s, &target, STEPS, dt));
  CHECK_SLOPES("target", 3, &target.x, &dtarget.x, miss(&s, &target, STEPS, dt));
  CHECK("dt", dstep, SLOPE_WITHIN(1e-4, dt, miss(&s, &target, STEPS, dt)));
  CHECK("forward", __enzyme_fwddiff((void *)miss, &s, &ts, &target, &ttarget, STEPS, dt, 0.4),
        innerProduct(t, d, DOUBLES) + innerProduct(&ttarget.x, &dtarget.x, 3) + 0.4 * dstep);
  return finish();
}
