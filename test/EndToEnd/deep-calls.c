// Sixteen functions, each of which calls the next one twice: by value, the tape of the first one would have 2^16
// members. It is passed by a pointer where it has many. Also in halves that the program calls, of which the second runs
// twice, and differentiated again.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

#define CALLED __attribute__((noinline)) static
CALLED double f16(double x) { return x * sin(x) * exp(0.1 * x); }
#define NEXT(THIS, NEXT)                                                                           \
  CALLED double THIS(double x) { return NEXT(x) * NEXT(0.5 * x) + x; }
NEXT(f15, f16)
NEXT(f14, f15)
NEXT(f13, f14)
NEXT(f12, f13)
NEXT(f11, f12)
NEXT(f10, f11)
NEXT(f9, f10)
NEXT(f8, f9)
NEXT(f7, f8)
NEXT(f6, f7)
NEXT(f5, f6)
NEXT(f4, f5)
NEXT(f3, f4)
NEXT(f2, f3)
NEXT(f1, f2)
NEXT(f0, f1)

/// In a loop that keeps a tape for each iteration, and one that may end early.
static double repeated(const double *in, int n) {
  double x = 0.3;
  for (int i = 0; i < n && x < 2; i++)
    x += 0.1 * f8(in[i] * x);
  return x;
}

void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
extern int enzyme_nofree;
static double whole(const double *in) { return f9(in[0]) * in[1]; }
static void halves(const double *in, double *shadow) {
  void *tape = __enzyme_augmentfwd((void *)whole, enzyme_nofree, enzyme_dup, in, shadow);
  __enzyme_reverse((void *)whole, enzyme_nofree, enzyme_dup, in, shadow, 0.25, tape);
  __enzyme_reverse((void *)whole, enzyme_dup, in, shadow, 0.75, tape);
}
static double slope(double x) { return __enzyme_autodiff((void *)f9, x); }

int main() {
  double x[5], t[5];
  fill(x, 5, 3, 0.2, 1.2);
  fill(t, 5, 7, -1, 1);
  double g = __enzyme_autodiff((void *)f0, x[0]);
  CHECK("sixteen calls", g, SLOPE(x[0], f0(x[0])));
  CHECK_FUNCTION(repeated, 5, x, t, 5);
  double whole_shadow[2] = {0}, halves_shadow[2] = {0};
  __enzyme_autodiff((void *)whole, enzyme_dup, x, whole_shadow);
  halves(x, halves_shadow);
  CHECK("halves, x", halves_shadow[0], whole_shadow[0]);
  CHECK("halves, y", halves_shadow[1], whole_shadow[1]);
  double second = __enzyme_autodiff((void *)slope, x[0]);
  CHECK("again", second, SLOPE(x[0], slope(x[0])));
  return finish();
}
