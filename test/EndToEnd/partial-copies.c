// Copies of variable length that end inside a record: only the numbers that were copied count.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

struct Text {
  const char *at;
  double v[6];
  int error;
  float last[3];
};

static void load(struct Text *t, const double *x, int n) { memcpy(t->v, x, n * sizeof *x); }
double filled(const double *x, int n) {
  struct Text t = {"text", {1, 1, 1, 1, 1, 1}, 0, {0}};
  load(&t, x, n);
  double product = t.at[0] - 't' + 1;
  for (int i = 0; i < 6; i++)
    product *= t.v[i] + 0.1 * t.v[(i + 1) % 6];
  return product + t.last[t.error];
}
double cleared(const double *x, int n) {
  struct Text t = {"text", {x[0], x[1], x[2], x[3], x[4], x[5]}, 0, {0}};
  memset(t.v, 0, n * sizeof *x);
  return exp(t.v[0]) + sin(t.v[1] * t.v[5]) + t.v[2] * t.v[4] + t.v[3] + t.at[0] + t.last[t.error];
}

int main(void) {
  double x[6], t[6];
  fill(x, 6, 1, 0.5, 1.5);
  fill(t, 6, 2, -1, 1);
  for (int n = 0; n <= 6; n++) {
    double d[6] = {0}, e[6] = {0};
    __enzyme_autodiff((void *)filled, x, d, n);
    CHECK_SLOPES("filled", 6, x, d, filled(x, n));
    CHECK_FORWARD("filled", __enzyme_fwddiff((void *)filled, x, t, n), 6, t, d);
    __enzyme_autodiff((void *)cleared, x, e, n);
    CHECK_SLOPES("cleared", 6, x, e, cleared(x, n));
    CHECK_FORWARD("cleared", __enzyme_fwddiff((void *)cleared, x, t, n), 6, t, e);
  }
  return finish();
}
