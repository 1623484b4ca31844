// A Kalman filter: 2x2 matrices by value, missing measurements, noise as parameters.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double m[2][2];
} Mat2;
typedef struct {
  double v[2];
} Vec2;
typedef struct {
  Vec2 mean;
  Mat2 covariance;
} Belief;

typedef struct {
  double processNoise, measurementNoise, damping;
  Vec2 start;
} Parameters;
enum { PARAMETERS = sizeof(Parameters) / sizeof(double) };

static Mat2 times(Mat2 a, Mat2 b) {
  Mat2 c = {{{0, 0}, {0, 0}}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++)
        c.m[i][j] += a.m[i][k] * b.m[k][j];
  return c;
}
static Mat2 transposed(Mat2 a) {
  Mat2 b = {{{a.m[0][0], a.m[1][0]}, {a.m[0][1], a.m[1][1]}}};
  return b;
}
static Vec2 image(const Mat2 *a, Vec2 x) {
  Vec2 y;
  for (int i = 0; i < 2; i++)
    y.v[i] = a->m[i][0] * x.v[0] + a->m[i][1] * x.v[1];
  return y;
}
static void predict(Belief *b, const Parameters *p, double dt) {
  Mat2 f = {{{1, dt}, {-0.3 * dt, 1 - p->damping * dt}}};
  b->mean = image(&f, b->mean);
  b->covariance = times(times(f, b->covariance), transposed(f));
  for (int i = 0; i < 2; i++)
    b->covariance.m[i][i] += dt * p->processNoise * p->processNoise * (i + 0.5);
}
/* Position is measured. Returns the logarithm of the measurement's density. */
static double update(Belief *b, const Parameters *p, double measured) {
  const double variance = b->covariance.m[0][0] + p->measurementNoise * p->measurementNoise;
  const double surprise = measured - b->mean.v[0];
  double gain[2], old[2];
  for (int i = 0; i < 2; i++) {
    gain[i] = b->covariance.m[i][0] / variance;
    old[i] = b->covariance.m[0][i];
  }
  for (int i = 0; i < 2; i++) {
    b->mean.v[i] += gain[i] * surprise;
    for (int j = 0; j < 2; j++)
      b->covariance.m[i][j] -= gain[i] * old[j];
  }
  return -0.5 * (surprise * surprise / variance + log(2 * M_PI * variance));
}

double logLikelihood(const Parameters *p, const double *z, int n) {
  Belief belief = {p->start, {{{1, 0}, {0, 1}}}};
  double sum = 0;
  for (int i = 0; i < n; i++) {
    predict(&belief, p, i % 3 ? 0.1 : 0.2);
    if (isnan(z[i]))
      continue;
    sum += update(&belief, p, z[i]);
  }
  return sum;
}

enum { N = 14 };

int main(void) {
  double z[N], t[PARAMETERS + N], d[PARAMETERS + N] = {0};
  Parameters p = {0.7, 0.4, 0.5, {{0.2, -0.1}}};
  fill(z, N, 13, -1, 1);
  fill(t, PARAMETERS + N, 14, -1, 1);
  z[3] = z[8] = z[9] = NAN;
  __enzyme_autodiff((void *)logLikelihood, &p, d, z, d + PARAMETERS, N);
  CHECK_SLOPES("parameter", PARAMETERS, &p.processNoise, d, logLikelihood(&p, z, N));
  for (int i = 0; i < N; i++)
    CHECK_AT("z", i, d[PARAMETERS + i], isnan(z[i]) ? 0 : SLOPE(z[i], logLikelihood(&p, z, N)));
  CHECK_FORWARD("likelihood", __enzyme_fwddiff((void *)logLikelihood, &p, t, z, t + PARAMETERS, N),
                PARAMETERS + N, t, d);
  return finish();
}
