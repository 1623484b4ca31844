#include <erfa.h>

// The angle between two directions.
double separation(const double *x) { return eraSeps(x[0], x[1], x[2], x[3]); }

// A coordinate of the earth, from series with some thousand terms.
double earth(const double *x) {
  double Heliocentric[2][3], Barycentric[2][3];
  eraEpv00(2451545.0, 365.25 * x[0], Heliocentric, Barycentric);
  return Heliocentric[0][0] * Heliocentric[0][1] + Barycentric[1][2];
}

double nutation(const double *x) {
  double InLongitude, OfObliquity;
  eraNut00b(2451545.0, 36.525 * x[0], &InLongitude, &OfObliquity);
  return 1e5 * (InLongitude + OfObliquity);
}

// The height over the ellipsoid of a point in metres from the centre of the earth.
double height(const double *x) {
  double Point[3] = {1e6 * x[0], 1e6 * x[1], 1e6 * x[2]}, Longitude, Latitude, Height;
  eraGc2gd(1, Point, &Longitude, &Latitude, &Height);
  return 1e-6 * Height + Latitude;
}

double proper_motion(const double *x) {
  double PV[2][3];
  eraStarpv(x[0], x[1], 1e-6 * x[2], 1e-6 * x[3], x[4], x[5], PV);
  return 1e-6 * PV[0][0] + 1e3 * PV[1][1];
}

double refraction(const double *x) {
  double A, B;
  eraRefco(x[0], x[1], x[2], x[3], &A, &B);
  return 1e4 * (A + B);
}
