// Loops whose trip count depends on the data: Newton's method, alone and inside a loop.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double root(double a) {
  double x = a;
  while (fabs(x * x - a) > 1e-14 * a)
    x = 0.5 * (x + a / x);
  return x;
}
double cubes(const double *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double x = 1, step;
    int trips = 0;
    do {
      step = (x * x * x - a[i]) / (3 * x * x);
      x -= step;
      trips++;
    } while (fabs(step) > 1e-10 && trips < 100);
    sum += x * (i + 1);
  }
  return sum;
}
double halving(double lo, double hi) {
  double product = 1;
  for (;;) {
    double middle = (lo + hi) / 2;
    product *= middle;
    if (hi - lo < 1e-2)
      break;
    if (middle * middle > 2)
      hi = middle;
    else
      lo = middle;
  }
  return product;
}

typedef struct {
  double lo, hi;
} Pair;
Pair __enzyme_autodiff_pair(void *, ...);

int main(void) {
  double a = 7.25;
  CHECK("root", __enzyme_autodiff((void *)root, a), 0.5 / sqrt(a));
  CHECK("root jvp", __enzyme_fwddiff((void *)root, a, 3.0), 1.5 / sqrt(a));

  double v[5], dv[5] = {0}, t[5];
  fill(v, 5, 4, 0.5, 30);
  fill(t, 5, 5, -1, 1);
  __enzyme_autodiff((void *)cubes, v, dv, 5);
  for (int i = 0; i < 5; i++)
    CHECK_AT("cubes", i, dv[i], (i + 1) * cbrt(v[i]) / (3 * v[i]));
  CHECK("cubes jvp", __enzyme_fwddiff((void *)cubes, v, t, 5), innerProduct(t, dv, 5));

  double lo = 1.001, hi = 1.9;
  Pair g = __enzyme_autodiff_pair((void *)halving, lo, hi);
  double h = 1e-6, up = halving(lo + h, hi), down = halving(lo - h, hi);
  checkWithin("halving lo", -1, g.lo, (up - down) / (2 * h), 1e-6, 1e-9);
  up = halving(lo, hi + h), down = halving(lo, hi - h);
  checkWithin("halving hi", -1, g.hi, (up - down) / (2 * h), 1e-6, 1e-9);
  CHECK("halving jvp", __enzyme_fwddiff((void *)halving, lo, 0.5, hi, 2.0), 0.5 * g.lo + 2 * g.hi);
  return finish();
}
