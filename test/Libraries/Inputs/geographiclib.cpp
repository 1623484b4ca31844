#include <GeographicLib/Geocentric.hpp>
#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/TransverseMercator.hpp>

// The length of the shortest way between two places, in 1000 km.
double distance(const double *x) {
  double Metres;
  GeographicLib::Geodesic::WGS84().Inverse(x[0], x[1], x[2], x[3], Metres);
  return 1e-6 * Metres;
}

// Where a straight way leads.
double walk(const double *x) {
  double Latitude, Longitude;
  GeographicLib::Geodesic::WGS84().Direct(x[0], x[1], x[2], 1e6 * x[3], Latitude, Longitude);
  return Latitude + 2 * Longitude;
}

double map(const double *x) {
  double East, North;
  GeographicLib::TransverseMercator::UTM().Forward(9, x[0], x[1], East, North);
  return 1e-6 * (East + 2 * North);
}

double centre(const double *x) {
  double X, Y, Z;
  GeographicLib::Geocentric::WGS84().Forward(x[0], x[1], 1e3 * x[2], X, Y, Z);
  return 1e-6 * (X + 2 * Y + 3 * Z);
}
