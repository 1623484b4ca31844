// Statistics: log densities with gamma and error functions, quantiles by safeguarded Newton, a fit.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef enum { GAMMA, BETA, STUDENT, LOGNORMAL, WEIBULL, POISSON } Family;
typedef struct {
  Family family;
  double a, b;
} Distribution;

static double logBeta(double a, double b) { return lgamma(a) + lgamma(b) - lgamma(a + b); }

static double logDensity(const Distribution *d, double x) {
  const double a = d->a, b = d->b;
  switch (d->family) {
  case GAMMA:
    return a * log(b) + (a - 1) * log(x) - b * x - lgamma(a);
  case BETA:
    return (a - 1) * log(x) + (b - 1) * log1p(-x) - logBeta(a, b);
  case STUDENT: {
    double t = x / b;
    return lgamma((a + 1) / 2) - lgamma(a / 2) - 0.5 * log(a * M_PI) - log(b) -
           (a + 1) / 2 * log1p(t * t / a);
  }
  case LOGNORMAL: {
    double z = (log(x) - a) / b;
    return -0.5 * z * z - log(x * b) - 0.5 * log(2 * M_PI);
  }
  case WEIBULL:
    return log(a / b) + (a - 1) * log(x / b) - pow(x / b, a);
  case POISSON: {
    double k = floor(10 * x);
    return k * log(a * b) - a * b - lgamma(k + 1);
  }
  }
  return -INFINITY;
}

/* The regularised incomplete gamma function by its series or its continued fraction. */
static double gammaDistribution(double a, double x) {
  double front = exp(a * log(x) - x - lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < 200 && term > sum * 1e-17; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return front * sum;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int i = 1; i < 200; i++) {
    double an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (fabs(d * c - 1) < 1e-16)
      break;
  }
  return 1 - front * h;
}
double logLikelihood(const Distribution *mixture, const double *weights, int parts, const double *x,
                     int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double density = 0;
    for (int k = 0; k < parts; k++)
      density += weights[k] * exp(logDensity(&mixture[k], x[i]));
    sum += log(density);
  }
  return sum;
}
double quantile(double a, double p) {
  double low = 0, high = 50, x = a;
  for (int i = 0; i < 100; i++) {
    double f = gammaDistribution(a, x) - p, slope = exp((a - 1) * log(x) - x - lgamma(a));
    if (f > 0)
      high = x;
    else
      low = x;
    double next = x - f / slope;
    if (next <= low || next >= high)
      next = 0.5 * (low + high);
    if (fabs(next - x) < 1e-14 * x)
      return next;
    x = next;
  }
  return x;
}

enum { PARTS = 6, N = 9 };
typedef struct {
  double a, p;
} Gradient;
Gradient __enzyme_autodiff_gradient(void *, ...);

int main(void) {
  Distribution m[PARTS] = {{GAMMA, 2.5, 3},        {BETA, 1.7, 2.2},    {STUDENT, 4, 0.8},
                           {LOGNORMAL, -0.6, 0.7}, {WEIBULL, 1.4, 0.9}, {POISSON, 2.1, 1.9}};
  Distribution d[PARTS], t[PARTS];
  double w[PARTS], dw[PARTS] = {0}, tw[PARTS], x[N], r[2 * PARTS], inner = 0;
  fill(w, PARTS, 10, 0.2, 1);
  fill(tw, PARTS, 11, -1, 1);
  fill(x, N, 12, 0.05, 0.95);
  fill(r, 2 * PARTS, 13, -1, 1);
  for (int k = 0; k < PARTS; k++) {
    d[k] = (Distribution){m[k].family, 0, 0};
    t[k] = (Distribution){m[k].family, r[2 * k], r[2 * k + 1]};
  }
  __enzyme_autodiff((void *)logLikelihood, m, d, w, dw, PARTS, enzyme_const, x, N);
  for (int k = 0; k < PARTS; k++) {
    CHECK_AT("a", k, d[k].a, SLOPE(m[k].a, logLikelihood(m, w, PARTS, x, N)));
    CHECK_AT("b", k, d[k].b, SLOPE(m[k].b, logLikelihood(m, w, PARTS, x, N)));
    inner += t[k].a * d[k].a + t[k].b * d[k].b;
  }
  CHECK_SLOPES("weight", PARTS, w, dw, logLikelihood(m, w, PARTS, x, N));
  double tangent = __enzyme_fwddiff((void *)logLikelihood, m, t, w, tw, PARTS, enzyme_const, x, N);
  CHECK("forward", tangent, inner + innerProduct(tw, dw, PARTS));

  for (int k = 0; k < 2; k++) {
    double a = k ? 0.8 : 3.3, p = k ? 0.3 : 0.85;
    Gradient g = __enzyme_autodiff_gradient((void *)quantile, a, p);
    double q = quantile(a, p);
    CHECK("dp", g.p, 1 / exp((a - 1) * log(q) - q - lgamma(a)));
    checkWithin("da", -1, g.a, SLOPE(a, quantile(a, p)), 1e-7, 1e-8);
  }
  return finish();
}
