// Memory that one half of a split pair keeps numbers in is released with its shadow by the other
// half, which may know better that there are only numbers in it.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"
#include <malloc.h>
void __enzyme_autodiff_nothing(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);

/* Which of three ways was gone is kept, in a byte for each iteration. */
__attribute__((noinline)) static void walk(double *x, int n) {
  for (int i = 0; i < n; i++) {
    if (*x > 0.9)
      *x = 0.5 * *x * *x;
    else if (*x < 0.4)
      *x = *x + 0.6 * cos(*x);
    else
      *x = sin(*x);
  }
}
/* The tapes of the calls are kept in turn. */
double program(double *x, int n) {
  double s = 0;
  for (int k = 1; k < 4; k++) {
    double y = *x * k;
    walk(&y, n);
    s += y * tanh(y);
  }
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
