// The second derivative of a record with members of several kinds, one of which only gets a value:
// what the first derivative knows of it, the second cannot find out from its code.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
struct mix {
  float f;
  char c;
  double d;
  short s;
  float g[3];
};
double mixed(const double *x, int n) {
  struct mix m[2];
  for (int i = 0; i < 2; i++) {
    m[i].f = x[0];
    m[i].c = i;
    m[i].d = x[0] * x[1];
    m[i].s = 2 * i;
    m[i].g[0] = 0.5f;
    m[i].g[1] = x[1];
    m[i].g[2] = 0.25f;
  }
  if (x[0] > 0)
    m[0] = m[1];
  for (int i = 0; i < n; i++)
    m[i % 2].g[i % 3] = m[1 - i % 2].g[(i + 1) % 3] * 0.5f + m[0].f;
  const double *p = x[1] < 0 ? &m[n % 2].d : x;
  return p[0] * m[n % 2].d + x[1] * x[1] * p[0];
}
// What is never read is not even stored any more.
struct wide {
  double f;
  char c;
  double d;
  short s;
  double g[3];
};
double forgotten(const double *x, int n) {
  struct wide m[2];
  for (int i = 0; i < 2; i++) {
    m[i].f = x[0];
    m[i].c = i + 2 * n % 3;
    m[i].d = sin(x[1]);
    m[i].s = 2 * i;
    m[i].g[0] = 0.5;
    m[i].g[1] = m[i].d;
    m[i].g[2] = m[i].f * 0.5;
  }
  for (int i = 0; i < n; i++)
    m[i % 2].g[i % 3] = m[1 - i % 2].g[(i + 1) % 3] * 0.5 + m[0].f;
  return m[n % 2].d * m[0].g[1] + x[0] * x[0] * x[1];
}
double slopeOfForgotten(const double *x, const double *t, int n) {
  return __enzyme_fwddiff((void *)forgotten, enzyme_dup, x, t, enzyme_const, n);
}
double slope(const double *x, const double *t, int n) {
  return __enzyme_fwddiff((void *)mixed, enzyme_dup, x, t, enzyme_const, n);
}
int main(void) {
  double x[2] = {1.5, -0.7}, t[2] = {0.5, 2}, d[2] = {0}, dt[2] = {0}, e[2] = {0};
  __enzyme_autodiff((void *)slope, enzyme_dup, x, d, enzyme_dup, t, dt, enzyme_const, 1);
  CHECK_SLOPES("second", 2, x, d, slope(x, t, 1));
  __enzyme_autodiff((void *)mixed, enzyme_dup, x, e, enzyme_const, 1);
  CHECK("first", dt[0], e[0]);
  CHECK("first", dt[1], e[1]);
  double c[2] = {0}, ct[2] = {0}, g[2] = {0};
  __enzyme_autodiff((void *)slopeOfForgotten, enzyme_dup, x, c, enzyme_dup, t, ct, enzyme_const, 3);
  CHECK_SLOPES("second of forgotten", 2, x, c, slopeOfForgotten(x, t, 3));
  __enzyme_autodiff((void *)forgotten, enzyme_dup, x, g, enzyme_const, 3);
  CHECK("first of forgotten", ct[0], g[0]);
  CHECK("first of forgotten", ct[1], g[1]);
  return finish();
}
