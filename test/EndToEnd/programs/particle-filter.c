// A particle filter with fixed random numbers: weights, systematic resampling by index, likelihood.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double persistence, drive, noise, error;
} Dynamics;
typedef struct {
  double x, weight;
} Particle;

typedef struct {
  unsigned long long state;
} Random;

static double uniform(Random *r) {
  r->state = r->state * 6364136223846793005ULL + 1442695040888963407ULL;
  return ((r->state >> 33) + 0.5) / 2147483648.0;
}
static double gauss(Random *r) {
  double radius = sqrt(-2 * log(uniform(r)));
  return radius * cos(2 * M_PI * uniform(r));
}
static void resample(Particle *p, Particle *scratch, int n, double offset) {
  double sum = 0, reached = 0;
  int from = -1;
  for (int i = 0; i < n; i++)
    sum += p[i].weight;
  for (int i = 0; i < n; i++) {
    double wanted = (i + offset) / n * sum;
    while (reached < wanted && from < n - 1)
      reached += p[++from].weight;
    scratch[i] = p[from < 0 ? 0 : from];
    scratch[i].weight = sum / n;
  }
  for (int i = 0; i < n; i++)
    p[i] = scratch[i];
}

/* Log-likelihood of the measurements. */
double filter(const Dynamics *d, const double *z, int steps, int particles, unsigned seed) {
  Particle *p = malloc(2 * particles * sizeof *p);
  Random random = {seed};
  double likelihood = 0;
  for (int i = 0; i < particles; i++)
    p[i] = (Particle){gauss(&random), 1.0 / particles};
  for (int t = 0; t < steps; t++) {
    double total = 0, squares = 0;
    for (int i = 0; i < particles; i++) {
      double x = p[i].x;
      p[i].x = d->persistence * x + d->drive * x / (1 + x * x) + d->noise * gauss(&random);
      double e = (z[t] - p[i].x * p[i].x / 2) / d->error;
      p[i].weight *= exp(-0.5 * e * e) / d->error + 1e-9;
      total += p[i].weight;
    }
    likelihood += log(total);
    for (int i = 0; i < particles; i++) {
      p[i].weight /= total;
      squares += p[i].weight * p[i].weight;
    }
    if (1 / squares < 0.5 * particles)
      resample(p, p + particles, particles, uniform(&random));
  }
  free(p);
  return likelihood;
}

enum { STEPS = 8, PARTICLES = 20 };

int main(void) {
  Dynamics m = {0.6, 1.4, 0.5, 0.7}, d = {0, 0, 0, 0}, t = {0.3, -0.2, 1, 0.4};
  double z[STEPS], dz[STEPS] = {0}, tz[STEPS], *x = (double *)&m, *dx = (double *)&d;
  fill(z, STEPS, 80, -0.2, 1.5);
  fill(tz, STEPS, 81, -1, 1);
  __enzyme_autodiff((void *)filter, &m, &d, z, dz, STEPS, PARTICLES, 12345u);
  CHECK_SLOPES_WITHIN(1e-5, "dynamics", 4, x, dx, filter(&m, z, STEPS, PARTICLES, 12345u));
  CHECK_SLOPES_WITHIN(1e-5, "z", STEPS, z, dz, filter(&m, z, STEPS, PARTICLES, 12345u));
  double tangent = __enzyme_fwddiff((void *)filter, &m, &t, z, tz, STEPS, PARTICLES, 12345u);
  CHECK("forward", tangent, innerProduct((double *)&t, dx, 4) + innerProduct(tz, dz, STEPS));
  return finish();
}
