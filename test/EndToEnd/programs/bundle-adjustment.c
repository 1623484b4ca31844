// Bundle adjustment: Rodrigues rotation with its small-angle branch, radial distortion, weights.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

/* Offsets into a camera. */
enum { ROTATION = 0, CENTRE = 3, FOCAL = 6, PRINCIPAL = 7, RADIAL = 9, CAMERA = 11 };

typedef struct {
  int camera, point;
  double feature[2];
} Observation;

static double sqsum(int n, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}
static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
static void rotate(const double *rot, const double *pt, double *out) {
  double square = sqsum(3, rot), axisCross[3];
  if (square != 0) {
    double theta = sqrt(square), c = cos(theta), s = sin(theta), inverse = 1.0 / theta, axis[3];
    for (int i = 0; i < 3; i++)
      axis[i] = rot[i] * inverse;
    cross(axis, pt, axisCross);
    double along = (axis[0] * pt[0] + axis[1] * pt[1] + axis[2] * pt[2]) * (1 - c);
    for (int i = 0; i < 3; i++)
      out[i] = pt[i] * c + axisCross[i] * s + axis[i] * along;
  } else {
    cross(rot, pt, axisCross);
    for (int i = 0; i < 3; i++)
      out[i] = pt[i] + axisCross[i];
  }
}
static void distort(const double *radial, double *proj) {
  double square = sqsum(2, proj), factor = 1 + radial[0] * square + radial[1] * square * square;
  proj[0] *= factor;
  proj[1] *= factor;
}
static void project(const double *cam, const double *x, double *proj) {
  double centred[3], turned[3];
  for (int i = 0; i < 3; i++)
    centred[i] = x[i] - cam[CENTRE + i];
  rotate(cam + ROTATION, centred, turned);
  proj[0] = turned[0] / turned[2];
  proj[1] = turned[1] / turned[2];
  distort(cam + RADIAL, proj);
  proj[0] = proj[0] * cam[FOCAL] + cam[PRINCIPAL];
  proj[1] = proj[1] * cam[FOCAL] + cam[PRINCIPAL + 1];
}

/* Two errors per observation, then one per weight. */
void residuals(const Observation *seen, int count, const double *cams, const double *points,
               const double *weights, double *errors) {
  for (int o = 0; o < count; o++) {
    double proj[2];
    project(&cams[seen[o].camera * CAMERA], &points[seen[o].point * 3], proj);
    for (int i = 0; i < 2; i++)
      errors[2 * o + i] = weights[o] * (proj[i] - seen[o].feature[i]);
  }
  for (int o = 0; o < count; o++)
    errors[2 * count + o] = 1 - weights[o] * weights[o];
}

enum {
  CAMERAS = 3,
  POINTS = 2,
  SEEN = 5,
  ERRORS = 3 * SEEN,
  P = CAMERAS * CAMERA,
  W = P + 3 * POINTS,
  ALL = W + SEEN
};

static const Observation seen[SEEN] = {{0, 0, {0.2, 0.1}},
                                       {0, 1, {-0.3, 0.4}},
                                       {1, 0, {0.1, 0.1}},
                                       {1, 1, {0.5, 0}},
                                       {2, 1, {0, 0.7}}};

static double weighted(const double *x, const double *u) {
  double errors[ERRORS];
  residuals(seen, SEEN, x, x + P, x + W, errors);
  return innerProduct(u, errors, ERRORS);
}

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0}, u[ERRORS], du[ERRORS], errors[ERRORS], te[ERRORS] = {0};
  fill(x, ALL, 5, -0.5, 0.5);
  fill(t, ALL, 6, -1, 1);
  fill(u, ERRORS, 7, -1, 1);
  memcpy(du, u, sizeof u);
  for (int i = 0; i < POINTS; i++)
    x[P + 3 * i + 2] += 4;
  memset(x + 2 * CAMERA, 0, 3 * sizeof(double)); /* the last camera is not turned */
  __enzyme_autodiff((void *)residuals, enzyme_const, seen, SEEN, x, d, x + P, d + P, x + W, d + W,
                    errors, du);
  for (int i = 0; i < ALL; i++)
    if (i < 2 * CAMERA || i >= 2 * CAMERA + 3)
      CHECK_AT("x", i, d[i], SLOPE(x[i], weighted(x, u)));
  double rotation[3] = {1e-7, 0, 0}; /* close to zero the other branch has nearly the same slope */
  double near[ALL], dn[ALL] = {0};
  memcpy(near, x, sizeof x);
  memcpy(near + 2 * CAMERA, rotation, sizeof rotation);
  memcpy(du, u, sizeof u);
  __enzyme_autodiff((void *)residuals, enzyme_const, seen, SEEN, near, dn, near + P, dn + P,
                    near + W, dn + W, errors, du);
  for (int i = 0; i < 3; i++)
    checkWithin("untwisted", i, d[2 * CAMERA + i], dn[2 * CAMERA + i], 1e-6, 1e-9);
  __enzyme_fwddiff((void *)residuals, enzyme_const, seen, SEEN, x, t, x + P, t + P, x + W, t + W,
                   errors, te);
  CHECK_FORWARD("residuals", innerProduct(u, te, ERRORS), ALL, t, d);
  return finish();
}
