#include <ccd/ccd.h>

typedef struct {
  double Place[3], Half[3];
} Box;

static void support(const void *Body, const ccd_vec3_t *Direction, ccd_vec3_t *Corner) {
  const Box *B = Body;
  for (int I = 0; I < 3; ++I)
    Corner->v[I] = B->Place[I] + (Direction->v[I] > 0 ? B->Half[I] : -B->Half[I]);
}

static void center(const void *Body, ccd_vec3_t *Center) {
  const Box *B = Body;
  for (int I = 0; I < 3; ++I)
    Center->v[I] = B->Place[I];
}

typedef int Penetration(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

// How deep one box is in another.
static double depth_by(Penetration *Method, const double *x) {
  ccd_t Options;
  CCD_INIT(&Options);
  Options.support1 = Options.support2 = support;
  Options.center1 = Options.center2 = center;
  Options.epa_tolerance = Options.mpr_tolerance = 1e-6;
  Box First = {{0, 0, 0}, {1, 1.1 + x[0], 1.3}}, Second = {{x[1], x[2], 0.1}, {1, 1, 1}};
  ccd_real_t Depth;
  ccd_vec3_t Direction, Place;
  return Method(&First, &Second, &Options, &Depth, &Direction, &Place) ? 0 : Depth * (1 + 2 * x[0]);
}

// By Gilbert, Johnson and Keerthi's method, and an expanding polytope.
double depth(const double *x) { return depth_by(ccdGJKPenetration, x); }

// By refinement of a portal.
double portal(const double *x) { return depth_by(ccdMPRPenetration, x); }
