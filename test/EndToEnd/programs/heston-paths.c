// Monte-Carlo paths of the Heston model: own generator, antithetic pairs, a control variate.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stdint.h>

typedef struct {
  uint32_t s[4];
} Generator;
typedef struct {
  double spot, variance, speed, mean, ofVariance, correlation, rate;
} Heston;
enum { REALS = sizeof(Heston) / sizeof(double) };
typedef struct {
  double sum, sumOfSquares, control;
  int n;
} Statistics;

static uint32_t rotate(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }
static uint32_t next(Generator *g) {
  const uint32_t result = rotate(g->s[1] * 5, 7) * 9, t = g->s[1] << 9;
  g->s[2] ^= g->s[0];
  g->s[3] ^= g->s[1];
  g->s[1] ^= g->s[2];
  g->s[0] ^= g->s[3];
  g->s[2] ^= t;
  g->s[3] = rotate(g->s[3], 11);
  return result;
}
static void seed(Generator *g, uint32_t value) {
  for (int i = 0; i < 4; i++)
    g->s[i] = value = 1812433253u * (value ^ (value >> 30)) + i + 1;
}
static void normals(Generator *g, double out[2]) {
  double u, v, s;
  do {
    u = next(g) / 2147483648.0 - 1;
    v = next(g) / 2147483648.0 - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  s = sqrt(-2 * log(s) / s);
  out[0] = u * s;
  out[1] = v * s;
}
static double path(const Heston *h, const double *z, int steps, double dt, int sign,
                   double *average) {
  double x = log(h->spot), v = h->variance, other = sqrt(1 - h->correlation * h->correlation);
  *average = 0;
  for (int i = 0; i < steps; i++) {
    double positive = v > 0 ? v : 0, root = sqrt(positive * dt + 1e-12);
    double z1 = sign * z[2 * i], z2 = h->correlation * z1 + other * sign * z[2 * i + 1];
    x += (h->rate - positive / 2) * dt + root * z1;
    v += h->speed * (h->mean - positive) * dt + h->ofVariance * root * z2;
    *average += exp(x) / steps;
  }
  return exp(x);
}

double price(const Heston *h, double strike, double years, int paths, int steps,
             Statistics *stats) {
  Generator g;
  const double dt = years / steps;
  double *z = malloc(2 * steps * sizeof *z);
  Statistics s = {0, 0, 0, 0};
  seed(&g, 2024);
  for (int p = 0; p < paths; p++) {
    for (int i = 0; i < steps; i++)
      normals(&g, z + 2 * i);
    for (int sign = 1; sign >= -1; sign -= 2) {
      double average, end = path(h, z, steps, dt, sign, &average);
      double gain = 0.7 * end + 0.3 * average - strike;
      double value = gain > 0 ? gain * exp(-h->rate * years) : 0;
      s.sum += value;
      s.sumOfSquares += value * value;
      s.control += end * exp(-h->rate * years) - h->spot;
      s.n++;
    }
  }
  free(z);
  *stats = s;
  return (s.sum - 0.5 * s.control) / s.n;
}

int main(void) {
  Heston h = {100, 0.09, 1.5, 0.08, 0.4, -0.6, 0.03}, d, t = {1, 0.01, 0.3, 0.02, -0.1, 0.2, 0.01};
  double strike = 98, *x = (double *)&h, *dx = (double *)&d;
  Statistics stats, ignored;
  memset(&d, 0, sizeof d);
  double ds = __enzyme_autodiff((void *)price, &h, &d, strike, enzyme_const, 0.5, 12, 10,
                                enzyme_const, &stats);
  show("paths", stats.n, 0);
  CHECK_SLOPES_WITHIN(1e-5, "parameter", REALS, x, dx, price(&h, strike, 0.5, 12, 10, &ignored));
  CHECK("strike", ds, SLOPE_WITHIN(1e-4, strike, price(&h, strike, 0.5, 12, 10, &ignored)));
  double tangent = __enzyme_fwddiff((void *)price, &h, &t, strike, 0.4, enzyme_const, 0.5, 12, 10,
                                    enzyme_const, &ignored);
  CHECK("forward", tangent, innerProduct((double *)&t, dx, REALS) + 0.4 * ds);
  return finish();
}
