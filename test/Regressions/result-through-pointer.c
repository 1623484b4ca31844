// A mathematical function that also writes through a pointer writes in each iteration of a loop.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
double fraction(const double *in, int n) {
  double s = in[1];
  for (int i = 0; i < n; i++) {
    int k;
    double f = frexp(s * in[0] + 1, &k);
    s = 0.5 * s + f + ldexp(in[1] * s, k % 3);
  }
  return s;
}
double remainders(const double *in, int n) {
  double s = in[1];
  for (int i = 0; i < n; i++) {
    int k;
    double r = remquo(s + 3 * in[0], 0.7, &k);
    s = 0.6 * s + r * in[1] * (k & 3);
  }
  return s;
}
#define CHECK_ALL(F)                                                                               \
  for (int n = 0; n < 6; n++) {                                                                    \
    double x[2] = {1.35, 0.8}, d[2] = {0};                                                         \
    __enzyme_autodiff((void *)F, x, d, n);                                                         \
    CHECK_SLOPES_WITHIN(1e-4, #F, 2, x, d, F(x, n));                                               \
  }
int main(void) {
  CHECK_ALL(fraction)
  CHECK_ALL(remainders)
  return finish();
}
