// Loops with assertions, and with checks that end the program: counted as if these were not there.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <assert.h>
#include <stdlib.h>

static double at(const double *x, int n, int i) { /* As a language with bounds checks has it. */
  if (i < 0 || i >= n)
    abort();
  return x[i];
}
double checked(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    assert(x[i] > -5);
    s = s * at(x, n, i) + sin(s);
  }
  return s;
}
double nested(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      s = s * at(x, n, j) * at(x, n, i) + cos(s);
      assert(isfinite(s));
    }
  return s;
}
double until(const double *x, int n) { /* Another way out that does return. */
  double s = 1;
  for (int i = 0; i < n; i++) {
    assert(n < 100);
    s = s * at(x, n, i) + 2;
    if (s > 6)
      return s * s;
  }
  return s;
}
double backwards(const double *x, int n) {
  double s = 0.5;
  for (int i = n; i--;) {
    if (x[i] < -9)
      exit(3);
    s = s * s * at(x, n, i) + x[0];
  }
  return s;
}

#define TEST(F) CHECK_FUNCTION(F, 6, x, t, 6)

int main(void) {
  double x[6], t[6];
  fill(x, 6, 31, -1, 2);
  fill(t, 6, 32, -1, 1);
  TEST(checked);
  TEST(nested);
  TEST(until);
  TEST(backwards);
  return finish();
}
