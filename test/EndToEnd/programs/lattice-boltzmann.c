// Lattice-Boltzmann flow in a channel: three-dimensional arrays, ping-pong grids, bounce-back walls.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define NX 6
#define NY 5
#define Q 9

static const int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[Q] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                                 1. / 36, 1. / 36, 1. / 36, 1. / 36};
typedef double Grid[NY][NX][Q];

static double equilibrium(int q, double rho, double u, double v) {
  double along = ex[q] * u + ey[q] * v;
  return weight[q] * rho * (1 + 3 * along + 4.5 * along * along - 1.5 * (u * u + v * v));
}
static void moments(const double *f, double *rho, double *u, double *v) {
  *rho = *u = *v = 0;
  for (int q = 0; q < Q; q++) {
    *rho += f[q];
    *u += ex[q] * f[q];
    *v += ey[q] * f[q];
  }
  *u /= *rho;
  *v /= *rho;
}
static void collide(Grid f, const double (*porosity)[NX], double omega, double force) {
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) {
      double rho, u, v;
      moments(f[y][x], &rho, &u, &v);
      u += force / (omega * rho);
      u *= 1 - porosity[y][x];
      v *= 1 - porosity[y][x];
      for (int q = 0; q < Q; q++)
        f[y][x][q] += omega * (equilibrium(q, rho, u, v) - f[y][x][q]);
    }
}
static void stream(const double (*from)[NX][Q], Grid to) {
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++)
      for (int q = 0; q < Q; q++) {
        int ty = y + ey[q], tx = (x + ex[q] + NX) % NX;
        if (ty < 0 || ty >= NY)
          to[y][x][opposite[q]] = from[y][x][q];
        else
          to[ty][tx][q] = from[y][x][q];
      }
}

/* The flux through the channel after some steps. */
double flux(const double (*porosity)[NX], double omega, double force, int steps) {
  Grid grids[2];
  double sum = 0;
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++)
      for (int q = 0; q < Q; q++)
        grids[0][y][x][q] = equilibrium(q, 1, 0, 0);
  for (int s = 0; s < steps; s++) {
    collide(grids[s & 1], porosity, omega, force);
    stream((const double (*)[NX][Q])grids[s & 1], grids[~s & 1]);
  }
  for (int y = 0; y < NY; y++) {
    double rho, u, v;
    moments(grids[steps & 1][y][NX / 2], &rho, &u, &v);
    sum += rho * u;
  }
  return 1000 * sum;
}

int main(void) {
  double p[NY * NX], d[NY * NX] = {0}, t[NY * NX], omega = 1.2, force = 1e-3;
  fill(p, NY * NX, 13, 0, 0.2);
  fill(t, NY * NX, 14, -1, 1);
  typedef const double (*Porosity)[NX];
  struct {
    double omega, force;
  } g;
  g.omega = __enzyme_autodiff((void *)flux, p, d, omega, enzyme_const, force, 6);
  g.force = __enzyme_autodiff((void *)flux, enzyme_const, p, enzyme_const, omega, force, 6);
  CHECK_SLOPES("porosity", NY * NX, p, d, flux((Porosity)p, omega, force, 6));
  CHECK("omega", g.omega, SLOPE(omega, flux((Porosity)p, omega, force, 6)));
  checkWithin("force", -1, g.force, SLOPE_WITHIN(1e-3, force, flux((Porosity)p, omega, force, 6)),
              1e-8, 1e-9);
  double tangent = __enzyme_fwddiff((void *)flux, p, t, omega, 0.3, force, 1e-3, 6);
  CHECK("forward", tangent, innerProduct(t, d, NY * NX) + 0.3 * g.omega + 1e-3 * g.force);
  return finish();
}
