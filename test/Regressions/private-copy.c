// A record that passes through a function which uses only some of its members: the others are
// copied out of memory that only the function sees, and keep their derivatives.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"

struct S {
  double a;
  int k;
  double v[3];
  double b;
};
__attribute__((noinline)) static struct S mix(struct S z, double *m) {
  for (int i = 0; i < 1 + z.k; i++)
    z.a = 0.6 * z.b + 0.3 * m[i];
  return z;
}
double f(double *x) {
  double m[7] = {1, 1, 1, 1, 1, 1, 1};
  int n = 4;
  struct S z = {x[0], n % 5, {x[0] * x[1], x[0], 0.3}, 0.5 * x[1]};
  z = mix(z, m);
  return 0.3 * (z.a + z.v[z.k % 3]) + z.v[0];
}

int main(void) {
  double x[2] = {1.5, -0.7}, d[2] = {0, 0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  CHECK_SLOPES("f", 2, x, d, f(x));
  return finish();
}
