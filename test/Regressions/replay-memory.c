// What the first half has released is not given to a shadow of the second half, which tells memory
// without derivatives by its address; two activities of one function have a second half each.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <malloc.h>
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
static double kept[2];
__attribute__((noinline)) static void keep(double a, int k) { kept[k % 2] = a * a; }
double program(const double *in, double a, int n) {
  double *m = (double *)malloc(4 * sizeof(double));
  for (int i = 0; i < 4; i++)
    m[i] = a * in[i % 2];
  double r = sin(m[n % 4]) * m[(n + 1) % 4];
  free(m);
  kept[0] = kept[1] = r;
  keep(0.5, n);
  if (n % 2)
    keep(r, n + 1);
  return kept[0] * kept[1];
}
static double replayed(double *x, double *t, double a, double ta, int n) {
  void *tape = __enzyme_augmentfwd((void *)program, enzyme_dup, x, t, enzyme_dup, a, ta, n);
  return __enzyme_fwdsplit((void *)program, enzyme_dup, x, t, enzyme_dup, a, ta, n, tape);
}
static double partly(double *x, double *t, double a, int n) {
  void *tape = __enzyme_augmentfwd((void *)program, enzyme_dup, x, t, enzyme_const, a, n);
  return __enzyme_fwdsplit((void *)program, enzyme_dup, x, t, enzyme_const, a, n, tape);
}
int main(void) {
  double x[2] = {0.5, 0.8}, t[2] = {1, -2}, d[2], a = 0.7;
  for (int n = 0; n < 4; n++) {
    for (int i = 0; i < 2; i++)
      d[i] = SLOPE(x[i], program(x, a, n));
    double byA = SLOPE(a, program(x, a, n));
    CHECK("all", replayed(x, t, a, 3, n), d[0] - 2 * d[1] + 3 * byA);
    CHECK("x only", partly(x, t, a, n), d[0] - 2 * d[1]);
  }
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 100; i++)
    replayed(x, t, a, 3, i);
  CHECK("leaked", mallinfo2().uordblks - before > 64, 0);
  return finish();
}
