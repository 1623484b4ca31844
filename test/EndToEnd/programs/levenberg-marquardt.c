// A Levenberg-Marquardt fit whose Jacobian comes from forward mode; the fit's residuals by callback.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

enum { PARAMETERS = 3, SAMPLES = 12 };

typedef struct {
  double x[SAMPLES], y[SAMPLES];
} Data;

/* y = a exp(-b x) + c with a robust weight. */
void residuals(const double *p, const Data *data, double *r) {
  for (int i = 0; i < SAMPLES; i++) {
    double e = p[0] * exp(-p[1] * data->x[i]) + p[2] - data->y[i];
    r[i] = e / sqrt(1 + 0.1 * fabs(e));
  }
}
double halfSquare(const double *p, const Data *data) {
  double r[SAMPLES], sum = 0;
  residuals(p, data, r);
  for (int i = 0; i < SAMPLES; i++)
    sum += 0.5 * r[i] * r[i];
  return sum;
}
static void jacobian(const double *p, const Data *data, double j[PARAMETERS][SAMPLES]) {
  double r[SAMPLES];
  for (int k = 0; k < PARAMETERS; k++) {
    double direction[PARAMETERS] = {0};
    direction[k] = 1;
    __enzyme_fwddiff((void *)residuals, p, direction, enzyme_const, data, r, j[k]);
  }
}
static int solveSmall(double a[PARAMETERS][PARAMETERS], double *b) {
  for (int k = 0; k < PARAMETERS; k++) {
    if (a[k][k] == 0)
      return 0;
    for (int i = k + 1; i < PARAMETERS; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < PARAMETERS; j++)
        a[i][j] -= f * a[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int i = PARAMETERS - 1; i >= 0; i--) {
    for (int j = i + 1; j < PARAMETERS; j++)
      b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return 1;
}
static int fit(double *p, const Data *data) {
  double damping = 1e-2, now = halfSquare(p, data);
  int round;
  for (round = 0; round < 100; round++) {
    double j[PARAMETERS][SAMPLES], r[SAMPLES], a[PARAMETERS][PARAMETERS], step[PARAMETERS],
        trial[PARAMETERS];
    residuals(p, data, r);
    jacobian(p, data, j);
    for (int k = 0; k < PARAMETERS; k++) {
      step[k] = -innerProduct(j[k], r, SAMPLES);
      for (int l = 0; l < PARAMETERS; l++)
        a[k][l] = innerProduct(j[k], j[l], SAMPLES) * (k == l ? 1 + damping : 1);
    }
    if (!solveSmall(a, step))
      break;
    for (int k = 0; k < PARAMETERS; k++)
      trial[k] = p[k] + step[k];
    double next = halfSquare(trial, data);
    if (next > now) {
      damping *= 10;
      if (damping > 1e8)
        break;
      continue;
    }
    memcpy(p, trial, sizeof trial);
    damping = fmax(damping / 10, 1e-12);
    if (now - next < 1e-17)
      break;
    now = next;
  }
  return round;
}

int main(void) {
  Data data;
  double noise[SAMPLES], p[PARAMETERS] = {1.2, 0.9, -0.1}, g[PARAMETERS] = {0},
                         t[PARAMETERS] = {1, -2, 0.3};
  fill(noise, SAMPLES, 63, -0.05, 0.05);
  for (int i = 0; i < SAMPLES; i++) {
    data.x[i] = 0.25 * i;
    data.y[i] = 2 * exp(-0.7 * data.x[i]) + 0.4 + noise[i];
  }
  __enzyme_autodiff((void *)halfSquare, p, g, enzyme_const, &data);
  CHECK_SLOPES_WITHIN(1e-4, "gradient", PARAMETERS, p, g, halfSquare(p, &data));
  double j[PARAMETERS][SAMPLES], r[SAMPLES];
  residuals(p, &data, r);
  jacobian(p, &data, j);
  for (int k = 0; k < PARAMETERS; k++)
    CHECK_AT("jacobian", k, innerProduct(j[k], r, SAMPLES), g[k]);
  CHECK_FORWARD("half square", __enzyme_fwddiff((void *)halfSquare, p, t, enzyme_const, &data),
                PARAMETERS, t, g);

  if (fit(p, &data) >= 100)
    failures++;
  memset(g, 0, sizeof g);
  __enzyme_autodiff((void *)halfSquare, p, g, enzyme_const, &data);
  for (int k = 0; k < PARAMETERS; k++) {
    checkWithin("optimum", k, p[k], p[k], 0, 1e-6);
    if (fabs(g[k]) > 1e-7)
      failures++;
  }
  return finish();
}
