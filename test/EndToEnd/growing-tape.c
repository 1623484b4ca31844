// Values kept when no trip count is known before the loops: nested whiles, many trips, a counter
// that jumps.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double nested(const double *x, int n) { // inner trip counts depend on the data
  double p = 1, sum = 0;
  int i = 0;
  while (i < n) {
    double q = x[i];
    while (q < 5 && q > -5) {
      double r = q;
      do {
        r = r * 0.5 + 0.1 * sin(p * r);
        p = p * 0.9 + 0.1 * r * r;
      } while (r * r > 0.3);
      q = q * 1.7 + p;
    }
    sum += q * p;
    i += q > 0 ? 1 : 2;
  }
  return sum;
}
double many(double x, int n) { // thousands of trips
  double p = x;
  long i = n;
  while (i != 1) {
    p = sin(p) + x * 0.3;
    i = i % 2 ? 3 * i + 1 : i / 2; // Collatz
  }
  return p;
}
double search(const double *x, int n, double target) {
  double best = 0;
  for (int round = 0; round < 3; round++) {
    int at = round;
    double sum = x[at];
    for (;;) {
      at = (at * 5 + 1) % n;
      sum += x[at] * x[at] * (1 + best);
      if (sum > target)
        break;
      if (at == round) {
        sum *= 2;
        break;
      }
    }
    best = best * 0.5 + sum * sum;
  }
  return best;
}

int main(void) {
  double x[8], t[8], dx[8] = {0}, ds[8] = {0};
  fill(x, 8, 4, 0.1, 1);
  fill(t, 8, 5, -1, 1);
  __enzyme_autodiff((void *)nested, x, dx, 8);
  double dt = __enzyme_fwddiff((void *)nested, x, t, 8), h = 1e-6;
  CHECK("nested jvp", dt, innerProduct(t, dx, 8));
  for (int i = 0; i < 8; i++) {
    double here = x[i];
    x[i] = here + h;
    double up = nested(x, 8);
    x[i] = here - h;
    double down = nested(x, 8);
    x[i] = here;
    checkWithin("nested", i, dx[i], (up - down) / (2 * h), 1e-5, 1e-9);
  }
  double y = 0.8, dm = __enzyme_autodiff((void *)many, y, 27);
  CHECK("many", dm, SLOPE(y, many(y, 27)));
  CHECK("many jvp", __enzyme_fwddiff((void *)many, y, 1.0, 27), dm);
  double target = 2.5;
  __enzyme_autodiff((void *)search, x, ds, 8, enzyme_const, target);
  for (int i = 0; i < 8; i++)
    CHECK_AT("search", i, ds[i], SLOPE(x[i], search(x, 8, target)));
  CHECK("search jvp", __enzyme_fwddiff((void *)search, x, t, 8, enzyme_const, target),
        innerProduct(t, ds, 8));
  return finish();
}
