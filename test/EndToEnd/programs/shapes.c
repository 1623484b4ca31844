// Objects in C: a table of functions per class, a base struct first, mixed shapes behind pointers.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

struct shape;
struct shape_class {
  const char *name;
  double (*area)(const struct shape *);
  void (*scale)(struct shape *, double);
  void (*destroy)(struct shape *);
};
struct shape {
  const struct shape_class *class;
  double density;
};

struct circle {
  struct shape base;
  double radius;
};
struct polygon {
  struct shape base;
  int corners;
  double (*xy)[2];
};

static double circle_area(const struct shape *s) {
  const struct circle *c = (const struct circle *)s;
  return M_PI * c->radius * c->radius;
}
static void circle_scale(struct shape *s, double f) { ((struct circle *)s)->radius *= f; }
static void plain_destroy(struct shape *s) { free(s); }
static const struct shape_class circle_class = {"circle", circle_area, circle_scale, plain_destroy};

static double polygon_area(const struct shape *s) {
  const struct polygon *p = (const struct polygon *)s;
  double sum = 0;
  for (int i = 0; i < p->corners; i++) {
    const double *a = p->xy[i], *b = p->xy[(i + 1) % p->corners];
    sum += a[0] * b[1] - a[1] * b[0];
  }
  return fabs(sum) / 2;
}
static void polygon_scale(struct shape *s, double f) {
  struct polygon *p = (struct polygon *)s;
  for (int i = 0; i < p->corners; i++)
    for (int k = 0; k < 2; k++)
      p->xy[i][k] *= f;
}
static void polygon_destroy(struct shape *s) {
  free(((struct polygon *)s)->xy);
  free(s);
}
static const struct shape_class polygon_class = {"polygon", polygon_area, polygon_scale,
                                                 polygon_destroy};

static struct shape *circle_new(double radius, double density) {
  struct circle *c = malloc(sizeof *c);
  c->base = (struct shape){&circle_class, density};
  c->radius = radius;
  return &c->base;
}
static struct shape *polygon_new(int corners, double size, double density) {
  struct polygon *p = malloc(sizeof *p);
  p->base.class = &polygon_class;
  p->base.density = density;
  p->corners = corners;
  p->xy = malloc(corners * sizeof *p->xy);
  for (int i = 0; i < corners; i++) {
    p->xy[i][0] = size * cos(2 * M_PI * i / corners);
    p->xy[i][1] = size * size * sin(2 * M_PI * i / corners);
  }
  return &p->base;
}

/* The mass of shapes of both classes after each is scaled by its neighbour's area. */
double mass(const double *sizes, const double *densities, int n) {
  struct shape **shapes = malloc(n * sizeof *shapes);
  double sum = 0;
  for (int i = 0; i < n; i++)
    shapes[i] =
        i % 3 ? polygon_new(3 + i, sizes[i], densities[i]) : circle_new(sizes[i], densities[i]);
  for (int i = 0; i + 1 < n; i++) {
    double next = shapes[i + 1]->class->area(shapes[i + 1]);
    shapes[i]->class->scale(shapes[i], sqrt(1 + next));
  }
  for (int i = 0; i < n; i++)
    sum += shapes[i]->density * shapes[i]->class->area(shapes[i]);
  for (int i = 0; i < n; i++)
    shapes[i]->class->destroy(shapes[i]);
  free(shapes);
  return sum;
}

enum { N = 5 };

int main(void) {
  double s[N], p[N], t[2 * N], d[2 * N] = {0};
  fill(s, N, 19, 0.5, 1.5);
  fill(p, N, 20, 0.5, 1.5);
  fill(t, 2 * N, 21, -1, 1);
  __enzyme_autodiff((void *)mass, s, d, p, d + N, N);
  CHECK_SLOPES("size", N, s, d, mass(s, p, N));
  CHECK_SLOPES("density", N, p, d + N, mass(s, p, N));
  CHECK_FORWARD("mass", __enzyme_fwddiff((void *)mass, s, t, p, t + N, N), 2 * N, t, d);
  return finish();
}
