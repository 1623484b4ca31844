// A `restrict` of a function that is inlined in a loop holds for one iteration: the next one may read what this one has
// written.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 20 };

static inline void step(double *restrict to, const double *restrict from) {
  *to = *to * 0.5 + *from * *from;
}
__attribute__((noinline)) static double chained(double *x, int apart) {
  double sum = 0;
  for (int i = 0; i + apart < N; i++)
    step(&x[i + apart], &x[i]);
  for (int i = 0; i < N; i++)
    sum += x[i] * x[i];
  return sum;
}
static double from(const double *x, int apart) {
  double copy[N];
  memcpy(copy, x, sizeof copy);
  return chained(copy, apart);
}

int main(void) {
  double x[N];
  fill(x, N, 7, 0.1, 0.4);
  for (int apart = 1; apart < 6; apart++) {
    double y[N], dy[N] = {0}, slopes = 0, along = 0;
    memcpy(y, x, sizeof x);
    GRADIENT_OF((void *)chained, enzyme_dup, y, dy, enzyme_const, apart);
    CHECK_SLOPES("gradient", N, x, dy, from(x, apart));
    for (int i = 0; i < N; i++)
      slopes += dy[i];
    double z[N], dz[N];
    memcpy(z, x, sizeof x);
    for (int i = 0; i < N; i++)
      dz[i] = 1;
    along = TANGENT_OF((void *)chained, enzyme_dup, z, dz, enzyme_const, apart);
    CHECK("tangent", along, slopes);
  }
  return finish();
}
