// A function that copies pointers as bytes moves derivatives, though it reads none of them.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
__attribute__((noinline)) static void copy(void *to, const void *from, int n) { memcpy(to, from, n); }
__attribute__((noinline)) static void copyTwice(void *to, const void *from, int n) {
  char between[64];
  copy(between, from, n);
  copy(to, between, n);
}
double program(const double *in) {
  double a = in[0] * 2, b = in[1] * 3, *p[2] = {&a, &b}, *q[2], *r[2];
  copy(q, p, sizeof p);
  copyTwice(r, p, sizeof p);
  *q[1] += *r[0];
  return *q[1] * *r[1] * in[1];
}
int main(void) {
  double x[2] = {1, 2}, d[2] = {0}, t[2] = {0.5, -1};
  __enzyme_autodiff((void *)program, x, d);
  CHECK_SLOPES("program", 2, x, d, program(x));
  CHECK_FORWARD("program", __enzyme_fwddiff((void *)program, x, t), 2, t, d);
  return finish();
}
