// Structs of a pointer and a number by value; functions that are marked inactive or like another.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef struct {
  double *p;
  double x;
} Mixed;
__attribute__((noinline)) Mixed make(double *p, double x) {
  Mixed m = {p, x * p[0]};
  return m;
}
__attribute__((noinline)) double use(Mixed m) { return m.p[1] * m.x; }
double mixed(double *p, double x) {
  Mixed m = make(p, x);
  return use(m) + m.p[0] * m.x;
}

static double hidden(double x) { return x * x; }
__attribute__((annotate("enzyme_inactive"))) double stop(double x) { return hidden(x); }
double stopped(double x) { return x * stop(x); }

__attribute__((annotate("enzyme_function_like=sin"))) float wave(float x) { return 0.5f; }
float waved(float x) { return 2 * wave(x); }
float __enzyme_autodiff_float(void *, ...);
float __enzyme_fwddiff_float(void *, ...);

int main(void) {
  double p[2] = {2, 3}, d[2] = {0}, t[2] = {1, 0.5}, x = 5;
  double dx = __enzyme_autodiff((void *)mixed, p, d, x);
  CHECK("x", dx, SLOPE(x, mixed(p, x)));
  CHECK_SLOPES("p", 2, p, d, mixed(p, x));
  CHECK("forward", __enzyme_fwddiff((void *)mixed, p, t, x, 2.0), d[0] + 0.5 * d[1] + 2 * dx);
  CHECK("inactive", __enzyme_autodiff((void *)stopped, 3.0), 9);
  CHECK_FLOAT("like sin", __enzyme_autodiff_float((void *)waved, 0.3f), 2 * cosf(0.3f));
  CHECK_FLOAT("like sin forward", __enzyme_fwddiff_float((void *)waved, 0.3f, 1.0f), 2 * cosf(0.3f));
  return finish();
}
