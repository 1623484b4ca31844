// Gauss-Seidel with over-relaxation on a grid behind row pointers, until the change is small.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct grid {
  int nx, ny;
  double **u;
} grid_t;

static grid_t grid_make(int nx, int ny) {
  grid_t g = {nx, ny, NULL};
  g.u = malloc(ny * sizeof *g.u);
  g.u[0] = calloc(nx * ny, sizeof **g.u);
  for (int j = 1; j < ny; j++)
    g.u[j] = g.u[j - 1] + nx;
  return g;
}
static void grid_drop(grid_t *g) {
  free(g->u[0]);
  free(g->u);
  g->u = NULL;
}
/* One sweep over the inner points; returns the largest change. */
static double sweep(grid_t *g, const double *source, double omega) {
  double largest = 0;
  for (int j = 1; j < g->ny - 1; j++)
    for (int i = 1; i < g->nx - 1; i++) {
      double mean = 0.25 * (g->u[j][i - 1] + g->u[j][i + 1] + g->u[j - 1][i] + g->u[j + 1][i] +
                            source[j * g->nx + i]);
      double change = omega * (mean - g->u[j][i]);
      g->u[j][i] += change;
      if (fabs(change) > largest)
        largest = fabs(change);
    }
  return largest;
}

/* Returns the number of sweeps; the energy of the solution goes to *energy. */
int relax(const double *boundary, const double *source, int nx, int ny, double omega,
          double *energy) {
  grid_t g = grid_make(nx, ny);
  int sweeps = 0;
  for (int i = 0; i < nx; i++) {
    g.u[0][i] = boundary[i];
    g.u[ny - 1][i] = boundary[nx + i];
  }
  while (sweep(&g, source, omega) > 1e-13)
    if (++sweeps >= 300)
      break;
  *energy = 0;
  for (int j = 0; j < ny - 1; j++)
    for (int i = 0; i < nx - 1; i++) {
      double dx = g.u[j][i + 1] - g.u[j][i], dy = g.u[j + 1][i] - g.u[j][i];
      *energy += 0.5 * (dx * dx + dy * dy);
    }
  grid_drop(&g);
  return sweeps;
}

enum { NX = 6, NY = 5, INPUTS = 2 * NX + NX * NY };

static double energyOf(const double *x) {
  double energy;
  relax(x, x + 2 * NX, NX, NY, 1.3, &energy);
  return energy;
}

int main(void) {
  double x[INPUTS], t[INPUTS], d[INPUTS] = {0}, energy, seed = 1, tangent;
  fill(x, INPUTS, 8, -1, 1);
  fill(t, INPUTS, 9, -1, 1);
  __enzyme_autodiff((void *)relax, x, d, x + 2 * NX, d + 2 * NX, NX, NY, enzyme_const, 1.3, &energy,
                    &seed);
  CHECK_SLOPES("input", INPUTS, x, d, energyOf(x));
  __enzyme_fwddiff((void *)relax, x, t, x + 2 * NX, t + 2 * NX, NX, NY, enzyme_const, 1.3, &energy,
                   &tangent);
  CHECK_FORWARD("relax", tangent, INPUTS, t, d);
  CHECK("seed", seed, 0);
  return finish();
}
