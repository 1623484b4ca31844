#include <libnova/libnova.h>

// Where the axis of the earth moves a star.
double precession(const double *x) {
  struct ln_equ_posn Star = {x[0], x[1]}, Moved;
  ln_get_equ_prec(&Star, 2451545 + 36525 * x[2], &Moved);
  return Moved.ra * Moved.dec;
}

// A body on a parabola.
double parabola(const double *x) {
  struct ln_par_orbit Orbit = {.q = x[0], .i = x[1], .w = x[2], .omega = x[3], .JD = 2451545};
  struct ln_rect_posn Place;
  ln_get_par_geo_rect_posn(&Orbit, 2451600, &Place);
  return Place.X * Place.Y + Place.Z;
}

double sun(const double *x) {
  struct ln_helio_posn Place;
  ln_get_solar_geom_coords(2451545 + x[0], &Place);
  return Place.L + Place.R;
}

double moon(const double *x) { return 1e-3 * ln_get_lunar_earth_dist(2451545 + x[0]); }
