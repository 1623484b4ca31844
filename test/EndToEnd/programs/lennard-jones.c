// Molecular dynamics with a cell list: linked cells by index, a shifted potential with a cutoff.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define EMPTY (-1)

typedef double real;
typedef struct {
  int n, cells; /* per side */
  real side, cutoff;
  int *head, *next;
} CellList;

static int cellOf(const CellList *c, const real *r) {
  int index = 0;
  for (int k = 1; k >= 0; k--) {
    int i = (int)(r[k] / c->side * c->cells);
    index = index * c->cells + (i < 0 ? 0 : i >= c->cells ? c->cells - 1 : i);
  }
  return index;
}
static void buildCells(CellList *c, const real (*r)[2]) {
  for (int k = 0; k < c->cells * c->cells; k++)
    c->head[k] = EMPTY;
  for (int i = 0; i < c->n; i++) {
    int k = cellOf(c, r[i]);
    c->next[i] = c->head[k];
    c->head[k] = i;
  }
}
static real pairEnergy(const real *a, const real *b, const real *eps, real cutoff, real *f) {
  real dx = a[0] - b[0], dy = a[1] - b[1], r2 = dx * dx + dy * dy;
  if (r2 >= cutoff * cutoff)
    return 0;
  real s6 = 1 / (r2 * r2 * r2), c6 = 1 / pow(cutoff, 6);
  real strength = 24 * *eps * (2 * s6 * s6 - s6) / r2;
  f[0] += strength * dx;
  f[1] += strength * dy;
  return 4 * *eps * ((s6 * s6 - s6) - (c6 * c6 - c6));
}
static real energyAndForces(const CellList *c, const real (*r)[2], const real *eps, real (*f)[2]) {
  real energy = 0;
  memset(f, 0, c->n * sizeof *f);
  for (int cy = 0; cy < c->cells; cy++)
    for (int cx = 0; cx < c->cells; cx++)
      for (int i = c->head[cy * c->cells + cx]; i != EMPTY; i = c->next[i])
        for (int oy = -1; oy <= 1; oy++)
          for (int ox = -1; ox <= 1; ox++) {
            int y = cy + oy, x = cx + ox;
            if (y < 0 || y >= c->cells || x < 0 || x >= c->cells)
              continue;
            for (int j = c->head[y * c->cells + x]; j != EMPTY; j = c->next[j])
              if (j != i)
                energy += 0.5 * pairEnergy(r[i], r[j], eps, c->cutoff, f[i]);
          }
  return energy;
}

/* Relaxes a copy of the positions by damped steps; returns the energy. */
double relaxed(const real (*start)[2], int n, const real *eps, real side, real cutoff, int steps,
               real rate) {
  CellList c = {n, (int)(side / cutoff), side, cutoff, NULL, NULL};
  real(*r)[2] = malloc(n * sizeof *r), (*f)[2] = malloc(n * sizeof *f);
  c.head = malloc(c.cells * c.cells * sizeof(int));
  c.next = malloc(n * sizeof(int));
  memcpy(r, start, n * sizeof *r);
  real energy = 0;
  for (int s = 0; s <= steps; s++) {
    buildCells(&c, (const real(*)[2])r);
    energy = energyAndForces(&c, (const real(*)[2])r, eps, f);
    if (s == steps)
      break;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 2; k++)
        r[i][k] += rate * f[i][k] / (1 + fabs(f[i][k]));
  }
  free(r);
  free(f);
  free(c.head);
  free(c.next);
  return energy;
}

enum { N = 12 };

int main(void) {
  double r[N][2], d[N][2], t[N][2], noise[2 * N], eps = 0.8, de = 0, te = 0.6;
  fill(noise, 2 * N, 58, -0.15, 0.15);
  fill((double *)t, 2 * N, 59, -1, 1);
  memset(d, 0, sizeof d);
  for (int i = 0; i < N; i++) {
    r[i][0] = 0.6 + 1.15 * (i % 4) + noise[2 * i];
    r[i][1] = 0.7 + 1.2 * (i / 4) + noise[2 * i + 1];
  }
  const double side = 5.2, cutoff = 1.7, rate = 0.02;
  __enzyme_autodiff((void *)relaxed, r, d, N, &eps, &de, enzyme_const, side, enzyme_const, cutoff,
                    6, enzyme_const, rate);
#define ENERGY relaxed((const real(*)[2])r, N, &eps, side, cutoff, 6, rate)
  CHECK_SLOPES_WITHIN(1e-5, "position", 2 * N, (double *)r, (double *)d, ENERGY);
  CHECK("eps", de, SLOPE_WITHIN(1e-5, eps, ENERGY));
  double tangent = __enzyme_fwddiff((void *)relaxed, r, t, N, &eps, &te, enzyme_const, side,
                                    enzyme_const, cutoff, 6, enzyme_const, rate);
  CHECK("forward", tangent, innerProduct((double *)t, (double *)d, 2 * N) + te * de);
  return finish();
}
