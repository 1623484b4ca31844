// Structures and unions passed and returned by value, and many arguments.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#define FAR static __attribute__((noinline))
struct two {
  float a, b;
};
struct pair {
  double a, b;
};
struct mixed {
  double v;
  int k;
};
struct kmixed {
  int k;
  double v;
};
struct three {
  double x, y, z;
};
struct floats {
  float v[4];
};
struct floats3 {
  float v[3];
};
struct big {
  double v[9];
  int n;
};

union bits {
  double d;
  long l;
};
struct view {
  double *data;
  int n;
};
FAR struct two addTwo(struct two s, float t) {
  return (struct two){s.a * t + s.b, s.b * s.a};
}
FAR struct pair addPair(struct pair s, double t) {
  return (struct pair){s.a * t + s.b, s.b * s.a};
}
FAR struct mixed addMixed(struct mixed s, double t) {
  return (struct mixed){s.v * t * s.k, s.k + 1};
}
FAR struct kmixed addK(struct kmixed s, double t) {
  return (struct kmixed){s.k + 1, s.v * t * s.k};
}
FAR struct three cross(struct three a, struct three b) {
  return (struct three){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                        a.x * b.y - a.y * b.x};
}
FAR struct floats scale(struct floats s, float t) {
  for (int i = 0; i < 4; i++)
    s.v[i] *= t + i;
  return s;
}
FAR struct floats3 scale3(struct floats3 s, float t) {
  for (int i = 0; i < 3; i++)
    s.v[i] *= t + i;
  return s;
}
FAR struct big grow(struct big b, double t) {
  b.v[b.n] = t * b.v[0];
  b.n++;
  return b;
}

FAR double unite(union bits u, double t) { return u.d * t; }
FAR double total(struct view v, double w) {
  double s = 0;
  for (int i = 0; i < v.n; i++)
    s += w * v.data[i] * v.data[i];
  return s;
}
FAR struct view tail(struct view v) {
  return (struct view){v.data + 1, v.n - 1};
}
FAR double many(double a, double b, double c, double d, double e, double f,
                double g, double h, double i, double j, int k, long l, double m,
                double n, double o, double p, float q, double r, double s,
                double t, double u, double v, struct pair w) {
  return a * b + c * d + e * f + g * h + i * j + k * m + l * n + o * p + q * r +
         s * t + u * v + w.a * w.b;
}
struct fint {
  float v;
  int k;
};
struct intf {
  int k;
  float v;
};
FAR struct fint addF(struct fint s, float t) {
  return (struct fint){s.v * t * s.k, s.k + 1};
}
FAR struct intf addI(struct intf s, float t) {
  return (struct intf){s.k + 1, s.v * t * s.k};
}
FAR union bits flip(union bits u, int k) {
  if (k)
    u.d = -u.d * u.d;
  return u;
}
double program(const double *in, int n) {
  double sum = 0;
  struct two t = {in[0], in[1]};
  struct pair p = {in[0], in[1]};
  struct mixed m = {in[2], 2};
  struct kmixed k = {3, in[3]};
  struct three a = {in[0], in[1], in[2]}, b = {in[3], in[4], in[5]};
  struct floats f = {{in[0], in[1], in[2], in[3]}};
  struct floats3 f3 = {{in[0], in[1], in[2]}};
  struct big g = {{in[0], in[1]}, 2};

  union bits u = {in[5]};
  struct fint fi = {in[0], 2};
  struct intf fj = {3, in[1]};
  double local[4] = {in[0], in[1], in[2], in[3]};
  struct view v = {local, 4};
  for (int i = 0; i < 3; i++) {
    t = addTwo(t, 1.5f);
    p = addPair(p, in[4]);
    m = addMixed(m, in[3]);
    k = addK(k, in[2]);
    a = cross(a, b);
    f = scale(f, 0.5f);
    f3 = scale3(f3, 0.25f);
    g = grow(g, in[5]);
    fi = addF(fi, 0.5f);
    fj = addI(fj, 0.25f);
    u = flip(u, i & 1);
    sum += unite(u, in[i]) + total(v, in[4]);
    v = tail(v);
  }
  sum += t.a * t.b + p.a * p.b + m.v * m.k + k.v * k.k + a.x + a.y * a.z +
         f.v[1] * f.v[3] + f3.v[0] * f3.v[2];
  for (int i = 0; i < g.n; i++)
    sum += g.v[i] * i;

  sum += fi.v * fi.k + fj.v * fj.k + u.d;
  return sum + many(in[0], in[1], in[2], in[3], in[4], in[5], in[0], in[2],
                    in[1], in[3], 2, 3, in[4], in[5], in[0], in[1], in[2],
                    in[3], in[4], in[5], in[0], in[1], p);
}
int main(void) {
  double x[6], d[6] = {0}, t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  __enzyme_autodiff((void *)program, x, d, 6);
  for (int i = 0; i < 6; i++)
    CHECK_FLOAT("program", d[i], SLOPE_WITHIN(0.1, x[i], program(x, 6)));
  // Parts of it compute in float: each derivative is rounded in its own way.
  CHECK_FLOAT("program forward", __enzyme_fwddiff((void *)program, x, t, 6), innerProduct(t, d, 6));
  return finish();
}
