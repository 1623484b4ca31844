// Memory that a call only reads, by no other name, may be overwritten by a later call.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
__attribute__((noinline)) static double move(double *restrict to, const double *restrict from, int n) {
  for (int i = 0; i < n; i++)
    to[i % 2] = 0.6 * to[(i + 1) % 2] + 0.2 * from[i % 2] * to[i % 2];
  return to[0] * from[1];
}
double program(const double *in, int n) {
  double a[2] = {in[0], in[1]}, b[2] = {in[2], in[0] * in[1]};
  double there = move(a, b, n);
  return there + move(b, a, n);
}
int main(void) {
  for (int n = 0; n < 4; n++) {
    double x[3] = {0.5, 0.8, -0.7}, d[3] = {0};
    __enzyme_autodiff((void *)program, x, d, n);
    CHECK_SLOPES("program", 3, x, d, program(x, n));
  }
  return finish();
}
