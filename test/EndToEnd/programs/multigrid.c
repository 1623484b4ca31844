// A multigrid solver: levels in an array of structs, V-cycles by recursion, until the residual is small.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define LEVELS 4

typedef struct {
  int n; /* inner points; u[0] and u[n+1] are the ends */
  double h, *u, *f, *r;
} Level;
typedef struct {
  Level level[LEVELS];
  const double *conductivity;
  int sweeps;
} Solver;

static double conductivityAt(const Solver *s, int level, int half) {
  return s->conductivity[(half << level) + (1 << level) / 2];
}
static double operatorAt(const Solver *s, int k, int i) {
  const Level *l = &s->level[k];
  double left = conductivityAt(s, k, i - 1), right = conductivityAt(s, k, i);
  return (left * (l->u[i] - l->u[i - 1]) - right * (l->u[i + 1] - l->u[i])) / (l->h * l->h);
}
static void smooth(const Solver *s, int k) {
  const Level *l = &s->level[k];
  for (int sweep = 0; sweep < s->sweeps; sweep++)
    for (int colour = 1; colour <= 2; colour++)
      for (int i = colour; i <= l->n; i += 2) {
        double left = conductivityAt(s, k, i - 1), right = conductivityAt(s, k, i);
        l->u[i] =
            (l->h * l->h * l->f[i] + left * l->u[i - 1] + right * l->u[i + 1]) / (left + right);
      }
}
static double residual(const Solver *s, int k) {
  double sum = 0;
  for (int i = 1; i <= s->level[k].n; i++) {
    s->level[k].r[i] = s->level[k].f[i] - operatorAt(s, k, i);
    sum += s->level[k].r[i] * s->level[k].r[i];
  }
  return sqrt(sum);
}
static void cycle(Solver *s, int k) {
  Level *fine = &s->level[k];
  smooth(s, k);
  if (k + 1 < LEVELS) {
    Level *coarse = fine + 1;
    residual(s, k);
    for (int i = 1; i <= coarse->n; i++) {
      coarse->f[i] = 0.25 * (fine->r[2 * i - 1] + 2 * fine->r[2 * i] + fine->r[2 * i + 1]);
      coarse->u[i] = 0;
    }
    cycle(s, k + 1);
    for (int i = 1; i <= fine->n; i++)
      fine->u[i] += i % 2 ? 0.5 * (coarse->u[i / 2] + coarse->u[i / 2 + 1]) : coarse->u[i / 2];
  } else {
    smooth(s, k);
  }
  smooth(s, k);
}

/* The energy of the solution; *cycles says how many were needed. */
double energy(const double *conductivity, const double *source, int n, double right, int *cycles) {
  Solver s = {.conductivity = conductivity, .sweeps = 2};
  for (int k = 0; k < LEVELS; k++) {
    Level *l = &s.level[k];
    l->n = ((n + 1) >> k) - 1;
    l->h = 1.0 / (l->n + 1);
    l->u = calloc(3 * (l->n + 2), sizeof(double));
    l->f = l->u + l->n + 2;
    l->r = l->f + l->n + 2;
  }
  memcpy(s.level[0].f + 1, source, n * sizeof(double));
  s.level[0].u[n + 1] = right;
  for (*cycles = 0; *cycles < 60; ++*cycles) {
    cycle(&s, 0);
    if (residual(&s, 0) < 1e-12)
      break;
  }
  double sum = 0;
  for (int i = 1; i <= n; i++)
    sum += s.level[0].u[i] * (source[i - 1] + 0.1 * s.level[0].u[i]) * s.level[0].h;
  for (int k = 0; k < LEVELS; k++)
    free(s.level[k].u);
  return sum;
}

enum { N = 15, ALL = 2 * N + 1 };

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0}, right = 0.4;
  int cycles, ignored;
  fill(x, N + 1, 4, 0.8, 1.2);
  fill(x + N + 1, N, 5, -1, 1);
  fill(t, ALL, 6, -1, 1);
  double dr = __enzyme_autodiff((void *)energy, x, d, x + N + 1, d + N + 1, N, right, enzyme_const,
                                &cycles);
  if (cycles >= 60)
    failures++;
  CHECK_SLOPES("x", ALL, x, d, energy(x, x + N + 1, N, right, &ignored));
  CHECK("right", dr, SLOPE(right, energy(x, x + N + 1, N, right, &ignored)));
  double tangent = __enzyme_fwddiff((void *)energy, x, t, x + N + 1, t + N + 1, N, right, 0.3,
                                    enzyme_const, &ignored);
  CHECK("forward", tangent, innerProduct(t, d, ALL) + 0.3 * dr);
  return finish();
}
