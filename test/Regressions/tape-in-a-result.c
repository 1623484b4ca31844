// The first half of a split pair returns its tape, which is all that leads to it. In derivatives of derivatives the
// tape has a shadow: the caller hands it to the second half, which releases both.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --all %s
#include "../EndToEnd/check.h"
#include <malloc.h>
void __enzyme_autodiff_nothing(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);

static double even(double a, int k);
__attribute__((noinline)) static double odd(double a, int k) {
  return k <= 0 ? sin(a) : 0.8 * even(0.7 * a, k - 1);
}
__attribute__((noinline)) static double even(double a, int k) { return odd(a, k - 1) + 0.05 * (k % 2); }
/* Results in memory: of what it returns itself, nothing carries a derivative. */
__attribute__((noinline)) static int both(double v, double *first, double *second) {
  *first = even(v, 4);
  *second = *first / 1.776;
  return *second > *first ? 2 : 3;
}
double program(double *x, int n) {
  double s = 0.05 + 0.4 * x[0], p, q;
  if (both(s, &p, &q) > n)
    p *= 0.5;
  s = 0.4 * s + 0.3 * (p * p - q);
  for (int i = 0; i < n; i++)
    s -= 0.0125 * even(s * s, 1);
  return s;
}
static void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff_nothing((void *)program, enzyme_dup, x, dx, n);
}
static double slope(double x, int n) {
  double dx = 0;
  gradient(&x, &dx, n);
  return dx;
}
static double forwardOverReverse(double x, int n) {
  double tx = 1, dx = 0, h = 0;
  __enzyme_fwddiff_nothing((void *)gradient, enzyme_dup, &x, &tx, enzyme_dup, &dx, &h, n);
  return h;
}
static double reverseOverReverse(double x, int n) {
  double h = 0, dx = 0, seed = 1;
  __enzyme_autodiff_nothing((void *)gradient, enzyme_dup, &x, &h, enzyme_dup, &dx, &seed, n);
  return h;
}
int main(void) {
  double x = 0.27;
  for (int n = 0; n < 5; n++) {
    double want = SLOPE_WITHIN(1e-4, x, slope(x, n));
    CHECK("forward over reverse", forwardOverReverse(x, n), want);
    CHECK("reverse over reverse", reverseOverReverse(x, n), want);
  }
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 100; i++) {
    forwardOverReverse(x, 3);
    reverseOverReverse(x, 3);
  }
  CHECK("leaked", mallinfo2().uordblks - before > 64, 0);
  return finish();
}
