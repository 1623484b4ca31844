// Helpers that know no type: bytes of doubles cleared, copied and swapped in functions of their
// own.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

static __attribute__((noinline)) void clear(double *p) { memset(p, 0, sizeof *p); }
static __attribute__((noinline)) void clearMany(double *p, int n) { memset(p, 0, n * sizeof *p); }
static __attribute__((noinline)) void copyMany(void *p, const void *q, int bytes) {
  memcpy(p, q, bytes);
}

double cleared(const double *x) {
  double a[4] = {x[0], x[1] * x[0], x[2], x[0] * x[2]};
  clear(a + 1);
  double kept = a[1] + a[2] * a[3];
  clearMany(a + 2, 2);
  return kept + a[0] * a[0] + a[3];
}
double copied(const double *x) {
  double a[6] = {x[0], x[1], x[2]};
  copyMany(a + 3, a, 3 * sizeof *a);
  copyMany(a, a + 4, 2 * sizeof *a);
  return a[0] * a[1] + a[3] * a[4] * a[5];
}

#define TEST(F) CHECK_FUNCTION(F, 3, x, t)

int main(void) {
  double x[3], t[3];
  fill(x, 3, 41, -1, 1);
  fill(t, 3, 42, -1, 1);
  TEST(cleared);
  TEST(copied);
  return finish();
}
