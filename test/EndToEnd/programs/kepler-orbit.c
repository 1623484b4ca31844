// Orbits: Kepler's equation by Newton with a start by case, elements to position, light times.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double axis, eccentricity, inclination, node, perihelion, anomaly;
} Elements;
typedef struct {
  double x[3];
} Position;

static double wrap(double angle) { return angle - 2 * M_PI * floor(angle / (2 * M_PI) + 0.5); }

static double eccentricAnomaly(double mean, double e) {
  double m = wrap(mean), x = e < 0.8 ? m : copysign(M_PI, m);
  for (int i = 0; i < 40; i++) {
    double f = x - e * sin(x) - m, step = f / (1 - e * cos(x));
    x -= step;
    if (fabs(step) < 1e-15 * (1 + fabs(x)))
      break;
  }
  return x;
}
static Position position(const Elements *o, double time) {
  double e = o->eccentricity, motion = 0.01720209895 / (o->axis * sqrt(o->axis));
  double anomaly = eccentricAnomaly(o->anomaly + motion * time, e);
  double u = o->axis * (cos(anomaly) - e), v = o->axis * sqrt(1 - e * e) * sin(anomaly);
  double cw = cos(o->perihelion), sw = sin(o->perihelion), cn = cos(o->node), sn = sin(o->node);
  double ci = cos(o->inclination), si = sin(o->inclination), p = u * cw - v * sw,
         q = u * sw + v * cw;
  return (Position){{p * cn - q * sn * ci, p * sn + q * cn * ci, q * si}};
}
static double apart(const Position *a, const Position *b) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += (a->x[i] - b->x[i]) * (a->x[i] - b->x[i]);
  return sqrt(s);
}

/* Squared errors of angles seen from Earth, each at the time when the light left. */
double misfit(const Elements *body, const Elements *earth, const double *times,
              const double *angles, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    Position here = position(earth, times[i]), there = position(body, times[i]);
    for (int k = 0; k < 3; k++)
      there = position(body, times[i] - apart(&here, &there) / 173.1446);
    double seen = atan2(there.x[1] - here.x[1], there.x[0] - here.x[0]);
    double high = asin((there.x[2] - here.x[2]) / apart(&here, &there));
    double e = wrap(seen - angles[2 * i]), f = high - angles[2 * i + 1];
    sum += e * e + f * f;
  }
  return sum;
}

enum { N = 6 };

int main(void) {
  Elements earth = {1.0000003, 0.0167, 0, 0, 1.79, 0.2};
  Elements bodies[2] = {{1.52, 0.093, 0.032, 0.86, 5, 0.34}, {3.4, 0.87, 0.4, 2, 1, -0.2}};
  double times[N] = {0, 40, 95, 180, 260, 400}, angles[2 * N];
  fill(angles, 2 * N, 94, -1, 1);
  for (int b = 0; b < 2; b++) {
    Elements d = {0, 0, 0, 0, 0, 0}, de = d, t = {0.3, -0.1, 0.5, 1, -0.4, 0.2},
             te = {0.1, 0.05, -0.3, 0.2, 0.1, 0.6};
    double *x = (double *)&bodies[b], *y = (double *)&earth;
    __enzyme_autodiff((void *)misfit, &bodies[b], &d, &earth, &de, enzyme_const, times,
                      enzyme_const, angles, N);
    CHECK_SLOPES_WITHIN(1e-4, "element", 6, x, (double *)&d,
                        misfit(&bodies[b], &earth, times, angles, N));
    CHECK_SLOPES_WITHIN(1e-4, "earth", 6, y, (double *)&de,
                        misfit(&bodies[b], &earth, times, angles, N));
    double tangent = __enzyme_fwddiff((void *)misfit, &bodies[b], &t, &earth, &te, enzyme_const,
                                      times, enzyme_const, angles, N);
    CHECK("forward", tangent,
          innerProduct((double *)&t, (double *)&d, 6) +
              innerProduct((double *)&te, (double *)&de, 6));
  }
  return finish();
}
