// Forward mode from a tape of a function that catches numbers: the second half makes the shadows of what was thrown,
// and releases them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1/-O2 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <malloc.h>

int enzyme_dup, enzyme_const;
template <class... T> void *__enzyme_augmentfwd(T...);
template <class... T> double __enzyme_fwdsplit(T...);

struct Failure {
  double value;
  int code;
};
static double __attribute__((noinline)) risky(double p, double q, int i) {
  if (i % 3 == 1)
    throw Failure{q * sin(p), i};
  return p * q;
}
__attribute__((noinline)) double guarded(double *in, int n) {
  double sum = in[0];
  for (int i = 0; i < n; i++)
    try {
      sum += risky(in[i], sum, i);
    } catch (const Failure &failure) {
      sum = sum * 0.6 + failure.value * failure.code;
    }
  return sum;
}

enum { N = 5 };
static double slope(double *x, double *t) {
  void *tape = __enzyme_augmentfwd((void *)guarded, enzyme_dup, x, t, enzyme_const, int(N));
  return __enzyme_fwdsplit((void *)guarded, enzyme_dup, x, t, enzyme_const, int(N), tape);
}

int main() {
  double x[N], t[N] = {};
  fill(x, N, 3, 0.2, 1.2);
  for (int i = 0; i < N; i++) {
    t[i] = 1;
    CHECK_AT("x", i, slope(x, t), SLOPE(x[i], guarded(x, N)));
    t[i] = 0;
  }
  size_t before = mallinfo2().uordblks;
  for (int k = 0; k < 50; k++)
    slope(x, t);
  CHECK("leaves nothing", double(mallinfo2().uordblks > before + 50 * 64), 0);
  return finish();
}
