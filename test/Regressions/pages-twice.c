// The gradient of a forward derivative that finds shadows by address: the pages with these are
// found by lists and keys, and a static record leads to the numbers; neither says anything of
// what is in the numbers' shadows.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
static struct {
  double *numbers;
  int count;
} work;
static __attribute__((noinline)) double *room(int n) {
  double *made = malloc((n + 2) * sizeof(double));
  for (int i = 0; i < n + 2; i++)
    made[i] = 0.5 + 0.1 * i;
  return made;
}
double f(double *x, int n) {
  double copy[5] = {0.1, 0.2, 0.3, 0.4, 0.5};
  work.numbers = x;
  work.count = 3;
  memcpy(copy, x, 3 * sizeof(double));
  double *factors = room(n);
  work.numbers[work.count - 1] = factors[0] * work.numbers[work.count - 1] * work.numbers[0];
  free(factors);
  return sin(copy[(n * 2 + 1) % 3]) * work.numbers[n % work.count];
}
double slope(double *x, double *t, int n) {
  double y[3], u[3];
  memcpy(y, x, sizeof y);
  memcpy(u, t, sizeof u);
  return __enzyme_fwddiff((void *)f, y, u, enzyme_const, n);
}
double along(double *x, int n) {
  double y[3];
  memcpy(y, x, sizeof y);
  return f(y, n);
}
int main(void) {
  for (int n = 0; n < 3; n++) {
    double x[3] = {0.7, 1.1, 0.9}, t[3] = {0.3, -0.4, 0.8}, d[3] = {0}, dt[3] = {0}, e[3] = {0};
    __enzyme_autodiff((void *)slope, x, d, t, dt, enzyme_const, n);
    CHECK_SLOPES("second", 3, x, d, slope(x, t, n));
    __enzyme_autodiff((void *)along, x, e, enzyme_const, n);
    for (int i = 0; i < 3; i++)
      CHECK_AT("first", i, dt[i], e[i]);
  }
  return finish();
}
