// Stores of a choice between what is there and something else are reversed where they have changed
// something: shortest ways, depths of pictures. Others are always reversed.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

extern int enzyme_dup, enzyme_const, enzyme_width;

enum { Side = 6, Numbers = Side * Side };

static double sumOf(const double *d) {
  double sum = 0;
  for (int i = 0; i < Numbers; i++)
    sum += (1 + 0.1 * i) * d[i] * d[i];
  return sum;
}
/* Floyd and Warshall: the row and the column of k are those that are read and changed. */
static double shortest(double *d, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double by = d[i * n + k] + d[k * n + j];
        d[i * n + j] = by < d[i * n + j] ? by : d[i * n + j];
      }
  return sumOf(d);
}
/* The other way round, with a product, and a number that all iterations share. */
static double best(double *d, int n) {
  double scale = 0.1 * sin(d[0]) + 0.3;
  for (int k = 1; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double by = scale * d[i * n + k] * d[k * n + j];
        d[i * n + j] = d[i * n + j] > by ? d[i * n + j] : by;
      }
  return sumOf(d);
}
/* What is stored is used once more. */
static double usedAgain(double *d, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      double by = d[k] + d[(i * 5 + k) % Numbers] * 0.5;
      double now = by < d[i * n + k] ? by : d[i * n + k];
      d[i * n + k] = now;
      sum += now * now;
    }
  return sum + sumOf(d);
}
/* What was there is a part of the other one, too. */
static double fallen(double *d, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      double old = d[i * n + k], by = 0.5 * d[(i * 7 + k * 3) % Numbers] + 0.25 * old;
      d[i * n + k] = by < old ? by : old;
    }
  return sumOf(d);
}
/* A second store behind it, and one in front. */
static double twoStores(double *d, int n) {
  double e[Numbers];
  for (int i = 0; i < Numbers; i++)
    e[i] = d[Numbers - 1 - i];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      double by = d[k] + d[(i * 5 + k) % Numbers];
      e[(i + k) % Numbers] = 0.5 * by;
      d[i * n + k] = by < d[i * n + k] ? by : d[i * n + k];
      e[(i * 3 + k) % Numbers] *= 0.9;
    }
  return sumOf(d) + sumOf(e);
}
/* Another place is kept, not the one that is stored to. */
static double elsewhere(double *d, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i + 1 < n; i++) {
      double by = d[k] * d[(i * 5 + k) % Numbers];
      d[i * n + k] = by < d[i * n + k + 1] ? by : d[i * n + k + 1];
    }
  return sumOf(d);
}
/* Triangles hide each other in any order. */
static double depths(double *d, int n) {
  double front[Side];
  for (int p = 0; p < Side; p++)
    front[p] = 10;
  for (int t = 0; t < Numbers; t++)
    for (int p = 0; p < 3; p++) {
      double far = 2 + sin(d[t]) * d[(t * 5 + p) % Numbers];
      int at = (t * 3 + p * p) % Side;
      front[at] = far < front[at] ? far : front[at];
    }
  double sum = 0;
  for (int p = 0; p < n; p++)
    sum += front[p] * front[p];
  return sum;
}
/* No store where nothing changes: what is compared only has an adjoint if there is one. */
static double ifShorter(double *d, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
  return sumOf(d);
}
/* The compared number is stored in two places, changed in one of them, and used once more. */
static double ifBetter(double *d, int n) {
  double e[Numbers], last = 0;
  for (int i = 0; i < Numbers; i++)
    e[i] = d[Numbers - 1 - i];
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      double by = d[k] * d[(i * 5 + k) % Numbers];
      if (by < d[i * n + k]) {
        e[(i + k) % Numbers] += sin(by);
        d[i * n + k] = by;
      } else if (i % 3 == 0)
        last += by * by;
    }
  return sumOf(d) + sumOf(e) + last;
}

#define ALL(DO)                                                                                    \
  DO(shortest)                                                                                     \
  DO(best)                                                                                         \
  DO(usedAgain)                                                                                    \
  DO(fallen)                                                                                       \
  DO(twoStores)                                                                                    \
  DO(elsewhere)                                                                                    \
  DO(depths)                                                                                       \
  DO(ifShorter)                                                                                    \
  DO(ifBetter)

#define GRADIENT(F)                                                                                \
  static double F##OfCopy(const double *x, int n) {                                                \
    double d[Numbers];                                                                             \
    for (int i = 0; i < Numbers; i++)                                                              \
      d[i] = x[i];                                                                                 \
    return F(d, n);                                                                                \
  }                                                                                                \
  static void F##InPlace(double *x, double *g, int n) {                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, g, enzyme_const, n);                               \
  }                                                                                                \
  static void F##Gradient(const double *x, double *g, int n) {                                     \
    __enzyme_autodiff((void *)F##OfCopy, enzyme_dup, x, g, enzyme_const, n);                       \
  }                                                                                                \
  static void F##Twice(const double *x, double *g, double *h, int n) {                             \
    __enzyme_autodiff((void *)F##OfCopy, enzyme_width, 2, enzyme_dup, x, g, h, enzyme_const, n);   \
  }                                                                                                \
  static double F##Tangent(const double *x, const double *v, int n) {                              \
    return __enzyme_fwddiff((void *)F##OfCopy, enzyme_dup, x, v, enzyme_const, n);                 \
  }                                                                                                \
  static void F##Along(const double *x, const double *v, double *hv, int n) {                      \
    double g[Numbers] = {0};                                                                       \
    __enzyme_fwddiff((void *)F##Gradient, enzyme_dup, x, v, enzyme_dup, g, hv, enzyme_const, n);   \
  }
ALL(GRADIENT)

typedef void Gradient(const double *x, double *g, int n);

static void check(const char *name, void (*inPlace)(double *, double *, int), Gradient *gradient,
                  void (*twice)(const double *, double *, double *, int),
                  double (*tangent)(const double *, const double *, int),
                  void (*along)(const double *, const double *, double *, int)) {
  double x[Numbers], g[Numbers] = {0}, first[Numbers] = {0}, other[Numbers] = {0}, v[Numbers];
  double hv[Numbers] = {0}, up[Numbers], down[Numbers], gUp[Numbers] = {0}, gDown[Numbers] = {0};
  const double h = 1e-6;
  for (int i = 0; i < Numbers; i++) {
    x[i] = 1.1 + sin(2.3 * i + 0.4);
    v[i] = 1 + 0.25 * (i % 5 - 2);
    up[i] = x[i] + h * v[i];
    down[i] = x[i] - h * v[i];
  }
  gradient(x, g, Side);
  twice(x, first, other, Side);
  for (int i = 0; i < Numbers; i++) {
    double unit[Numbers] = {0};
    unit[i] = 1;
    CHECK(name, g[i], tangent(x, unit, Side));
    CHECK(name, first[i], g[i]);
    CHECK(name, other[i], g[i]);
  }
  along(x, v, hv, Side);
  gradient(up, gUp, Side);
  gradient(down, gDown, Side);
  for (int i = 0; i < Numbers; i++)
    compareWithin(name, -1, hv[i], (gUp[i] - gDown[i]) / (2 * h), 1e-5, 1e-6);
  double same[Numbers] = {0};
  inPlace(x, same, Side);
  for (int i = 0; i < Numbers; i++)
    CHECK(name, same[i], g[i]);
}

int main(void) {
#define CALL(F) check(#F, F##InPlace, F##Gradient, F##Twice, F##Tangent, F##Along);
  ALL(CALL)
  return finish();
}
