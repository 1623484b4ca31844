// Vectors of an array are accessed from its first aligned element on, which the program looks for. In the
// shadow that element need not be aligned.
// REQUIRES: avx2
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <emmintrin.h>
#include <stdint.h>

static double product(const double *x, int n) {
  int first = (uintptr_t)x / sizeof *x % 2;
  double sum = first ? x[0] * x[0] : 0;
  __m128d both = _mm_set1_pd(0);
  for (int i = first; i + 2 <= n; i += 2) {
    __m128d v = _mm_load_pd(x + i);
    both = _mm_add_pd(both, _mm_mul_pd(v, v));
  }
  return sum + both[0] * both[1];
}
static double stored(const double *x, double *out, int n) {
  for (int i = (uintptr_t)out / sizeof *out % 2; i + 2 <= n; i += 2)
    _mm_store_pd(out + i, _mm_mul_pd(_mm_loadu_pd(x + i), _mm_loadu_pd(x + i)));
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += out[i] * (i + 1);
  return sum;
}

int main(void) {
  _Alignas(16) double x[9], t[9], out[9] = {0}, dout[9], dx[9];
  fill(x, 9, 3, 0.5, 1.5);
  fill(t, 9, 5, -1, 1);
  for (int primal = 0; primal < 2; primal++)
    for (int shadow = 0; shadow < 2; shadow++) {
      double *p = x + primal, *d = dx + shadow, *o = out + primal, *e = dout + shadow;
      memset(dx, 0, sizeof dx);
      __enzyme_autodiff((void *)product, enzyme_dup, p, d, enzyme_const, 8);
      CHECK_SLOPES("product", 8, p, d, product(p, 8));
      CHECK_FORWARD("product", __enzyme_fwddiff((void *)product, enzyme_dup, p, t + shadow, enzyme_const, 8),
                    8, t + shadow, d);
      memset(dx, 0, sizeof dx);
      memset(dout, 0, sizeof dout);
      __enzyme_autodiff((void *)stored, enzyme_dup, p, d, enzyme_dup, o, e, enzyme_const, 8);
      CHECK_SLOPES("stored", 8, p, d, stored(p, o, 8));
      memset(dout, 0, sizeof dout);
      CHECK_FORWARD("stored",
                    __enzyme_fwddiff((void *)stored, enzyme_dup, p, t + shadow, enzyme_dup, o, e,
                                     enzyme_const, 8), 8, t + shadow, d);
    }
  return finish();
}
