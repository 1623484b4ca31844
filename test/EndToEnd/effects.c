// Side effects beside the derivative: output, counters in globals, static locals, assertions,
// volatile.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <assert.h>

static int evaluations;
static long histogram[4];

static double term(double x, int i) {
  static int calls; // counts, decides nothing
  calls++;
  evaluations++;
  histogram[i & 3] += i;
  assert(i >= 0);
  if (x != x) {
    fprintf(stderr, "not a number in call %d\n", calls);
    exit(3);
  }
  return sin(x * i) / (i + 1);
}
double series(const double *x, int n) {
  double sum = 0;
  volatile int trips = n;
  for (int i = 0; i < trips; i++) {
    sum += term(x[i % 3] + sum, i);
    if (i == 1000)
      printf("many terms: %g\n", sum);
    if (sum > 1e6)
      abort();
  }
  return sum * sum;
}
int main(void) {
  double x[3] = {0.4, -0.3, 1.1}, dx[3] = {0}, t[3] = {1, -2, 0.5};
  series(x, 7);
  int once = evaluations;
  evaluations = 0;
  __enzyme_autodiff((void *)series, x, dx, 7);
  if (evaluations != once) { // effects of the primal happen once
    printf("FAILED: %d evaluations, not %d\n", evaluations, once);
    failures++;
  }
  for (int i = 0; i < 3; i++)
    CHECK_AT("series", i, dx[i], SLOPE(x[i], series(x, 7)));
  CHECK("series jvp", __enzyme_fwddiff((void *)series, x, t, 7), innerProduct(t, dx, 3));
  show("histogram", histogram[3], 0);
  return finish();
}
