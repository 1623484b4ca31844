// The distance of two points on an ellipsoid (Vincenty's iteration), checked by complex steps.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <complex.h>

/* One text for real and for complex numbers. */
#define DEFINE_DISTANCE(NAME, T, SIN, COS, TAN, ATAN, SQRT, REAL)                                  \
  T NAME(T lat1, T lon1, T lat2, T lon2, T flattening) {                                           \
    const double major = 6378.137;                                                                 \
    T minor = major * (1 - flattening), l = lon2 - lon1, lambda = l;                               \
    T u1 = ATAN((1 - flattening) * TAN(lat1)), u2 = ATAN((1 - flattening) * TAN(lat2));            \
    T sinU1 = SIN(u1), cosU1 = COS(u1), sinU2 = SIN(u2), cosU2 = COS(u2);                          \
    T sinSigma, cosSigma, sigma, cos2Alpha, cos2Middle;                                            \
    for (int i = 0; i < 50; i++) {                                                                 \
      T sinL = SIN(lambda), cosL = COS(lambda);                                                    \
      T p = cosU2 * sinL, q = cosU1 * sinU2 - sinU1 * cosU2 * cosL;                                \
      sinSigma = SQRT(p * p + q * q);                                                              \
      cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosL;                                             \
      sigma = 2 * ATAN(sinSigma / (1 + cosSigma));                                                 \
      T sinAlpha = cosU1 * cosU2 * sinL / sinSigma;                                                \
      cos2Alpha = 1 - sinAlpha * sinAlpha;                                                         \
      cos2Middle = REAL(cos2Alpha) == 0 ? 0 : cosSigma - 2 * sinU1 * sinU2 / cos2Alpha;            \
      T c = flattening / 16 * cos2Alpha * (4 + flattening * (4 - 3 * cos2Alpha));                  \
      T before = lambda;                                                                           \
      lambda =                                                                                     \
          l + (1 - c) * flattening * sinAlpha *                                                    \
                  (sigma + c * sinSigma *                                                          \
                               (cos2Middle + c * cosSigma * (2 * cos2Middle * cos2Middle - 1)));   \
      if (fabs(REAL(lambda - before)) < 1e-15)                                                     \
        break;                                                                                     \
    }                                                                                              \
    T uu = cos2Alpha * (major * major - minor * minor) / (minor * minor);                          \
    T a = 1 + uu / 16384 * (4096 + uu * (-768 + uu * (320 - 175 * uu)));                           \
    T b = uu / 1024 * (256 + uu * (-128 + uu * (74 - 47 * uu)));                                   \
    T m2 = cos2Middle * cos2Middle;                                                                \
    T delta =                                                                                      \
        b * sinSigma *                                                                             \
        (cos2Middle + b / 4 *                                                                      \
                          (cosSigma * (2 * m2 - 1) -                                               \
                           b / 6 * cos2Middle * (4 * sinSigma * sinSigma - 3) * (4 * m2 - 3)));    \
    return minor * a * (sigma - delta);                                                            \
  }
#define SAME(X) (X)
DEFINE_DISTANCE(distance, double, sin, cos, tan, atan, sqrt, SAME)
DEFINE_DISTANCE(complexDistance, double complex, csin, ccos, ctan, catan, csqrt, creal)

/* The length of a closed tour. */
double tour(const double (*stops)[2], int n, double flattening) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *a = stops[i], *b = stops[(i + 1) % n];
    sum += distance(a[0], a[1], b[0], b[1], flattening);
  }
  return sum;
}

enum { N = 5 };

int main(void) {
  double s[N][2] = {{0.9, 0.2}, {0.7, -1.3}, {-0.4, 1.1}, {0.1, 2.2}, {0.3, 0.9}}, d[N][2],
         t[2 * N];
  const double f = 1 / 298.257223563, h = 1e-30;
  memset(d, 0, sizeof d);
  fill(t, 2 * N, 93, -1, 1);
  double df = __enzyme_autodiff((void *)tour, s, d, N, f), expectedF = 0;
  for (int i = 0; i < N; i++) {
    const double *a = s[i], *b = s[(i + 1) % N], *c = s[(i + N - 1) % N];
    for (int k = 0; k < 2; k++) {
      double complex step = k ? 0 : h * I, turn = k ? h * I : 0;
      double slope = cimag(complexDistance(a[0] + step, a[1] + turn, b[0], b[1], f) +
                           complexDistance(c[0], c[1], a[0] + step, a[1] + turn, f)) /
                     h;
      CHECK_AT("stop", 2 * i + k, d[i][k], slope);
    }
    expectedF += cimag(complexDistance(a[0], a[1], b[0], b[1], f + h * I)) / h;
  }
  CHECK("flattening", df, expectedF);
  double tangent = __enzyme_fwddiff((void *)tour, s, t, N, f, 0.3);
  CHECK("forward", tangent, innerProduct(t, &d[0][0], 2 * N) + 0.3 * df);
  return finish();
}
