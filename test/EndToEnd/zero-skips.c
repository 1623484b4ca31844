// Where adjoints are zero, the reverse sweep leaves out loops and parts of iterations: those of centres
// that are not the nearest, of spheres that are not in front. Derivatives of such gradients must not
// stop there: at the solution of a least-squares problem all adjoints are zero, and the second
// derivatives are not.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

extern int enzyme_dup, enzyme_const;

enum { Centres = 4, Width = 3, Points = 5, Numbers = Centres * Width };
static const double points[Points * Width] = {0, 0, 0, 2, 1, 0, -1, 2, 2, 5, 5, 4, 1, -3, 2};
static const double centres[Numbers] = {3, 4, 0, 1, 2, -2, -2, 0, 6, 4, 4, 4};

/* The square of the distance to the nearest centre, by a loop. */
static double nearest(const double *at, const double *point, int width) {
  double least = 1e300;
  for (int c = 0; c < Centres; c++) {
    double square = 0;
    for (int i = 0; i < width; i++)
      square += (at[c * width + i] - point[i]) * (at[c * width + i] - point[i]);
    if (square < least)
      least = square;
  }
  return least;
}
static double spread(const double *at, const double *p, int count, int width) {
  double sum = 0;
  for (int k = 0; k < count; k++)
    sum += nearest(at, p + k * width, width);
  return sum;
}
/* Each point has the distance to its centre that it shall have: the sum is zero, and least. */
static double misfit(const double *at, const double *p, const double *want, int count, int width) {
  double sum = 0;
  for (int k = 0; k < count; k++) {
    double r = nearest(at, p + k * width, width) - want[k];
    sum += r * r / 2;
  }
  return sum;
}

/* A part of an iteration: roots and quotients of those in front that one behind may hide. */
static double depth(const double *at, const double *q) {
  double least = 1e300;
  for (int c = 0; c < Centres; c++) {
    const double *o = at + c * Width;
    double across = (o[0] - q[0]) * (o[0] + q[0]) + (o[1] - q[1]) * (o[2] - q[2]) / (2 + q[0] * q[0]);
    double inside = 50 + across / (1 + across * across);
    if (inside > 0) {
      double far = (o[2] + 20) * 0.5 - sqrt(inside) / (3 + o[1] * o[1]);
      if (far > 0 && far < least)
        least = far;
    }
  }
  return least;
}
static double front(const double *at, const double *p, const double *want, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) {
    double r = depth(at, p + k * Width) - want[k];
    sum += r * r / 2;
  }
  return sum;
}

static void spreadGradient(const double *at, double *g) {
  __enzyme_autodiff((void *)spread, enzyme_dup, at, g, enzyme_const, points, Points, Width);
}
static void misfitGradient(const double *at, double *g, const double *want) {
  __enzyme_autodiff((void *)misfit, enzyme_dup, at, g, enzyme_const, points, enzyme_const, want, Points, Width);
}
static void frontGradient(const double *at, double *g, const double *want) {
  __enzyme_autodiff((void *)front, enzyme_dup, at, g, enzyme_const, points, enzyme_const, want, Points);
}
/* Along v, for reverse over reverse. */
static double misfitAlong(const double *at, const double *v, const double *want) {
  double g[Numbers] = {0}, sum = 0;
  misfitGradient(at, g, want);
  for (int i = 0; i < Numbers; i++)
    sum += g[i] * v[i];
  return sum;
}
static double frontAlong(const double *at, const double *v, const double *want) {
  double g[Numbers] = {0}, sum = 0;
  frontGradient(at, g, want);
  for (int i = 0; i < Numbers; i++)
    sum += g[i] * v[i];
  return sum;
}

/* Differences are less exact than what is printed. */
#define SECOND(NAME, GOT, EXPECTED) compareWithin(NAME, -1, GOT, EXPECTED, 1e-6, 1e-9)

typedef void Gradient(const double *at, double *g, const double *want);

/* Differences of gradients, along v. */
static void differences(Gradient *gradient, const double *v, const double *want, double *hv) {
  const double h = 1e-5;
  double up[Numbers], down[Numbers], gUp[Numbers] = {0}, gDown[Numbers] = {0};
  for (int i = 0; i < Numbers; i++) {
    up[i] = centres[i] + h * v[i];
    down[i] = centres[i] - h * v[i];
  }
  gradient(up, gUp, want);
  gradient(down, gDown, want);
  for (int i = 0; i < Numbers; i++)
    hv[i] = (gUp[i] - gDown[i]) / (2 * h);
}

int main(void) {
  double v[Numbers], want[Points], wantFront[Points], g[Numbers] = {0}, byHand[Numbers] = {0};
  for (int i = 0; i < Numbers; i++)
    v[i] = 1 + 0.25 * i * (i % 3 - 1);

  spreadGradient(centres, g);
  for (int k = 0; k < Points; k++) {
    int which = 0;
    double least = 1e300;
    for (int c = 0; c < Centres; c++) {
      double square = 0;
      for (int i = 0; i < Width; i++)
        square += (centres[c * Width + i] - points[k * Width + i]) * (centres[c * Width + i] - points[k * Width + i]);
      if (square < least) {
        least = square;
        which = c;
      }
    }
    want[k] = least;
    for (int i = 0; i < Width; i++)
      byHand[which * Width + i] += 2 * (centres[which * Width + i] - points[k * Width + i]);
  }
  for (int i = 0; i < Numbers; i++)
    CHECK("spread", g[i], byHand[i]);

  for (int k = 0; k < Points; k++)
    wantFront[k] = depth(centres, points + k * Width);
  double none[Numbers] = {0}, noneFront[Numbers] = {0};
  misfitGradient(centres, none, want);
  frontGradient(centres, noneFront, wantFront);
  for (int i = 0; i < Numbers; i++) {
    CHECK("misfit", none[i], 0.0);
    CHECK("front", noneFront[i], 0.0);
  }

  double hv[Numbers], value[Numbers], forward[Numbers] = {0}, reverse[Numbers] = {0};
  memset(value, 0, sizeof value);
  differences(misfitGradient, v, want, hv);
  __enzyme_fwddiff((void *)misfitGradient, enzyme_dup, centres, v, enzyme_dup, value, forward, enzyme_const, want);
  __enzyme_autodiff((void *)misfitAlong, enzyme_dup, centres, reverse, enzyme_const, v, enzyme_const, want);
  double size = 0;
  for (int i = 0; i < Numbers; i++) {
    size += fabs(hv[i]);
    SECOND("misfit, forward over reverse", forward[i], hv[i]);
    SECOND("misfit, reverse over reverse", reverse[i], hv[i]);
  }
  CHECK("misfit has second derivatives", size > 100, 1);

  memset(value, 0, sizeof value);
  memset(forward, 0, sizeof forward);
  memset(reverse, 0, sizeof reverse);
  differences(frontGradient, v, wantFront, hv);
  __enzyme_fwddiff((void *)frontGradient, enzyme_dup, centres, v, enzyme_dup, value, forward, enzyme_const, wantFront);
  __enzyme_autodiff((void *)frontAlong, enzyme_dup, centres, reverse, enzyme_const, v, enzyme_const, wantFront);
  size = 0;
  for (int i = 0; i < Numbers; i++) {
    size += fabs(hv[i]);
    SECOND("front, forward over reverse", forward[i], hv[i]);
    SECOND("front, reverse over reverse", reverse[i], hv[i]);
  }
  CHECK("front has second derivatives", size > 0.5, 1);
  return finish();
}
