// A function that returns a structure of a number and a pointer calls itself by way of one that
// does not.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#define APART __attribute__((noinline))
typedef struct {
  double v;
  const double *p;
} Mixed;
void odd(double *out, const double *x, int n);
APART Mixed even(const double *x, int n) {
  if (n <= 0)
    return (Mixed){x[0], x};
  double product = 1;
  odd(&product, x, n - 1);
  return (Mixed){product * x[1], x + 1};
}
APART void odd(double *out, const double *x, int n) {
  Mixed m = even(x, n - 1);
  *out *= m.v * m.p[0];
}
double program(const double *x) { return even(x, 5).v; }
int main(void) {
  double x[2] = {1.1, 0.7}, d[2] = {0}, t[2] = {0.5, -1};
  __enzyme_autodiff((void *)program, x, d);
  CHECK_SLOPES("program", 2, x, d, program(x));
  CHECK_FORWARD("program", __enzyme_fwddiff((void *)program, x, t), 2, t, d);
  return finish();
}
