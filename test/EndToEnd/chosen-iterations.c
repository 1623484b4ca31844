// Of loops that look for the nearest, the reverse sweep runs the iteration in which it was found, and
// no other; and none where it was there before. Loops that do more run all of them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

extern int enzyme_dup, enzyme_const, enzyme_width;

enum { Count = 6, Width = 2, Numbers = Count * Width + 2 };

/* x[0] and x[1] are a start and a factor; Count rows of Width numbers follow. */
static double distance(const double *row, double factor, int width) {
  double sum = 0;
  for (int i = 0; i < width; i++)
    sum += factor * row[i] * row[i];
  return sum;
}

/* Two values of the same iteration. */
static double nearest(const double *x, int count, int width) {
  double least = x[0], side = 3 * x[1];
  int which = -1;
  for (int c = 0; c < count; c++) {
    double d = distance(x + 2 + c * width, x[1], width);
    if (d < least) {
      least = d;
      side = x[2 + c * width] * d;
      which = c;
    }
  }
  return least * least + 2 * side + which;
}
/* With ways on which nothing is found. */
static double inFront(const double *x, int count, int width) {
  double least = x[0];
  for (int c = 0; c < count; c++) {
    const double *row = x + 2 + c * width;
    if (row[0] < 0)
      continue;
    double d = sqrt(row[0]) + row[1] * row[1];
    if (row[1] > 0)
      d += exp(row[1]);
    if (d < least)
      least = d;
  }
  return least * x[1];
}
/* The largest of all rows, of the least of each. */
static double ofRows(const double *x, int count, int width) {
  double most = -1e300;
  for (int c = 0; c < count; c++) {
    double least = x[0];
    for (int i = 0; i < width; i++) {
      double t = x[2 + c * width + i] * x[1];
      least = t < least ? t : least;
    }
    most = least > most ? least : most;
  }
  return most * most * most;
}
/* The second one was the first: all iterations count. */
static double second(const double *x, int count, int width) {
  double most = x[0], next = x[1];
  for (int c = 0; c < count; c++) {
    double t = x[2 + c * width] * x[2 + c * width];
    if (t > most) {
      next = most;
      most = t;
    }
  }
  return most + 10 * next * next;
}
/* What was found so far is a part of what is compared. */
static double sinking(const double *x, int count, int width) {
  double least = x[0];
  for (int c = 0; c < count; c++) {
    double t = x[2 + c * width] * x[1] + 0.5 * least;
    if (t < least)
      least = t;
  }
  return least * least;
}
/* A sum beside. */
static double beside(const double *x, int count, int width) {
  double least = x[0], sum = 0;
  for (int c = 0; c < count; c++) {
    double t = x[2 + c * width] * x[1];
    sum += t * t;
    if (t < least)
      least = t;
  }
  return least * sum;
}
/* One value is replaced in other iterations than the other. */
static double apart(const double *x, int count, int width) {
  double least = x[0], most = x[1];
  for (int c = 0; c < count; c++) {
    double t = x[2 + c * width] * x[3 + c * width];
    if (t < least)
      least = t;
    if (t > most)
      most = t;
  }
  return least * most;
}
/* In a loop whose sum needs each of them. */
static double overPoints(const double *x, int count, int width) {
  double sum = 0;
  for (int p = 0; p < 5; p++) {
    double least = p == 3 ? -50 : x[0];
    for (int c = 0; c < count; c++) {
      double d = 0;
      for (int i = 0; i < width; i++)
        d += (x[2 + c * width + i] - p) * (x[2 + c * width + i] - p);
      least = d < least ? d : least;
    }
    sum += log(1 + least * least) * x[1];
  }
  return sum;
}
__attribute__((noinline)) static double called(const double *x, int count, int width) {
  double least = x[0];
  for (int c = 0; c < count; c++) {
    double d = x[2 + c * width] * x[1];
    if (d < least)
      least = d;
  }
  return least;
}
static double calls(const double *x, int count, int width) {
  return called(x, count, width) * called(x, count - 1, width) + called(x, 0, width);
}
/* None is less than what is no number. */
static double notANumber(const double *x, int count, int width) {
  double least = NAN;
  for (int c = 0; c < count; c++)
    if (x[2 + c * width] < least)
      least = x[2 + c * width];
  return least != least ? x[2] * x[0] : least;
}

#define ALL(DO)                                                                                    \
  DO(nearest)                                                                                      \
  DO(inFront)                                                                                      \
  DO(ofRows)                                                                                       \
  DO(second)                                                                                       \
  DO(sinking)                                                                                      \
  DO(beside)                                                                                       \
  DO(apart)                                                                                        \
  DO(overPoints)                                                                                   \
  DO(calls)                                                                                        \
  DO(notANumber)

#define GRADIENT(F)                                                                                \
  static void F##Gradient(const double *x, double *g, int count, int width) {                      \
    __enzyme_autodiff((void *)F, enzyme_dup, x, g, enzyme_const, count, enzyme_const, width);      \
  }                                                                                                \
  static void F##Twice(const double *x, double *g, double *h, int count, int width) {              \
    __enzyme_autodiff((void *)F, enzyme_width, 2, enzyme_dup, x, g, h, enzyme_const, count,        \
                      enzyme_const, width);                                                        \
  }                                                                                                \
  static double F##Tangent(const double *x, const double *v, int count, int width) {               \
    return __enzyme_fwddiff((void *)F, enzyme_dup, x, v, enzyme_const, count, enzyme_const,        \
                            width);                                                                \
  }                                                                                                \
  static void F##Along(const double *x, const double *v, double *hv, int count, int width) {       \
    double g[Numbers] = {0};                                                                       \
    __enzyme_fwddiff((void *)F##Gradient, enzyme_dup, x, v, enzyme_dup, g, hv, enzyme_const,       \
                     count, enzyme_const, width);                                                  \
  }
ALL(GRADIENT)

static void check(const char *name, const double *x, int count,
                  void (*gradient)(const double *, double *, int, int),
                  void (*twice)(const double *, double *, double *, int, int),
                  double (*tangent)(const double *, const double *, int, int),
                  void (*along)(const double *, const double *, double *, int, int)) {
  double g[Numbers] = {0}, first[Numbers] = {0}, other[Numbers] = {0}, v[Numbers],
         hv[Numbers] = {0};
  double up[Numbers], down[Numbers], gUp[Numbers] = {0}, gDown[Numbers] = {0};
  const double h = 1e-6;
  gradient(x, g, count, Width);
  twice(x, first, other, count, Width);
  for (int i = 0; i < Numbers; i++) {
    double unit[Numbers] = {0};
    unit[i] = 1;
    CHECK(name, g[i], tangent(x, unit, count, Width));
    CHECK(name, first[i], g[i]);
    CHECK(name, other[i], g[i]);
    v[i] = 1 + 0.25 * (i % 3 - 1);
    up[i] = x[i] + h * v[i];
    down[i] = x[i] - h * v[i];
  }
  along(x, v, hv, count, Width);
  gradient(up, gUp, count, Width);
  gradient(down, gDown, count, Width);
  for (int i = 0; i < Numbers; i++)
    compareWithin(name, -1, hv[i], (gUp[i] - gDown[i]) / (2 * h), 1e-5, 1e-6);
}

int main(void) {
  double x[Numbers];
  /* Starts that are replaced at once, at times, and never. */
  static const double starts[] = {1e3, 4, 0.7, -100};
  for (int s = 0; s < 4; s++)
    for (int count = 1; count <= Count; count++) {
      x[0] = starts[s];
      x[1] = 1.25;
      for (int i = 2; i < Numbers; i++)
        x[i] = 2.5 * sin(1.7 * i + s) + 0.3;
#define CALL(F) check(#F, x, count, F##Gradient, F##Twice, F##Tangent, F##Along);
      ALL(CALL)
    }
  /* The first of those that are equal. */
  double same[Numbers] = {9, 1, 2, 1, 2, 1, 2, 1, 3, 0, 3, 0, 5, 5}, g[Numbers] = {0};
  nearestGradient(same, g, Count, Width);
  CHECK("the first", g[2], 2 * 5 * 4 + 2 * (5 + 2 * 4));
  CHECK("not the second", g[4], 0.0);
  return finish();
}
