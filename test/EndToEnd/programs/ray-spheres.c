// Rays against spheres: nearest hit, shading with a light and a shadow ray, reflection by recursion.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stdbool.h>

typedef struct {
  double x, y, z;
} Vec;
typedef struct {
  Vec centre;
  double radius, albedo, mirror;
} Sphere;
typedef struct {
  Vec origin, direction;
} Ray;
typedef struct {
  int count;
  Sphere *spheres;
  Vec light;
} Scene;

static Vec add(Vec a, Vec b) { return (Vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static Vec scale(Vec a, double s) { return (Vec){a.x * s, a.y * s, a.z * s}; }
static Vec sub(Vec a, Vec b) { return add(a, scale(b, -1)); }
static double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vec unit(Vec a) { return scale(a, 1 / sqrt(dot(a, a))); }

static bool hit(const Sphere *s, const Ray *r, double *distance) {
  Vec oc = sub(r->origin, s->centre);
  double b = dot(oc, r->direction), c = dot(oc, oc) - s->radius * s->radius;
  double discriminant = b * b - c;
  if (discriminant < 0)
    return false;
  double root = sqrt(discriminant), t = -b - root;
  if (t < 1e-6)
    t = -b + root;
  if (t < 1e-6 || t > *distance)
    return false;
  *distance = t;
  return true;
}
static const Sphere *nearest(const Scene *scene, const Ray *r, double *distance) {
  const Sphere *found = NULL;
  *distance = 1e9;
  for (int i = 0; i < scene->count; i++)
    if (hit(&scene->spheres[i], r, distance))
      found = &scene->spheres[i];
  return found;
}
static double trace(const Scene *scene, Ray r, int depth) {
  double distance;
  const Sphere *s = nearest(scene, &r, &distance);
  if (!s)
    return 0.1 + 0.05 * r.direction.y;
  Vec at = add(r.origin, scale(r.direction, distance));
  Vec normal = unit(sub(at, s->centre)), toLight = sub(scene->light, at);
  Ray shadow = {at, unit(toLight)};
  double result = 0.05, ignored, facing = dot(normal, shadow.direction);
  if (facing > 0 && !nearest(scene, &shadow, &ignored))
    result += s->albedo * facing / (1 + 0.1 * dot(toLight, toLight));
  if (depth > 0 && s->mirror > 0) {
    Ray mirrored = {at, sub(r.direction, scale(normal, 2 * dot(normal, r.direction)))};
    result += s->mirror * trace(scene, mirrored, depth - 1);
  }
  return result;
}

/* Brightness of an image of 5 x 5 rays, weighted. */
double render(const Scene *scene, const Vec *eye) {
  double sum = 0;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) {
      Ray r = {*eye, unit((Vec){0.13 * i, 0.17 * j, 1})};
      sum += (10 + i + 2 * j) * trace(scene, r, 2);
    }
  return sum;
}

enum { N = 3, DOUBLES = N * sizeof(Sphere) / sizeof(double) };

int main(void) {
  Sphere s[N] = {
      {{0, 0.1, 4}, 0.8, 0.7, 0.3}, {{0.9, -0.3, 3}, 0.5, 0.9, 0.2}, {{-1, 0.4, 5}, 1, 0.4, -0.1}};
  Sphere ds[N], ts[N];
  memset(ds, 0, sizeof ds);
  fill((double *)ts, DOUBLES, 28, -1, 1);
  Vec eye = {0.05, 0.1, 0}, deye = {0, 0, 0}, teye = {0.3, -0.2, 0.9};
  Scene scene = {N, s, {-2, 3, 0.5}}, dscene = {N, ds, {0, 0, 0}},
        tscene = {N, ts, {0.5, 0.1, -0.3}};
  __enzyme_autodiff((void *)render, &scene, &dscene, &eye, &deye);
  CHECK_SLOPES_WITHIN(1e-4, "sphere", DOUBLES, (double *)s, (double *)ds, render(&scene, &eye));
  CHECK_SLOPES_WITHIN(1e-4, "light", 3, (double *)&scene.light, (double *)&dscene.light,
                      render(&scene, &eye));
  CHECK_SLOPES_WITHIN(1e-4, "eye", 3, (double *)&eye, (double *)&deye, render(&scene, &eye));
  CHECK("forward", __enzyme_fwddiff((void *)render, &scene, &tscene, &eye, &teye),
        innerProduct((double *)ts, (double *)ds, DOUBLES) +
            innerProduct((double *)&tscene.light, (double *)&dscene.light, 3) +
            innerProduct((double *)&teye, (double *)&deye, 3));
  return finish();
}
