// The steps of a checkpointed loop take vectors as arguments, in a function for AVX in a file that is compiled without:
// what calls the steps is for AVX, too. Parts of the vectors were lost, and gradients were wrong.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
void isozyme_checkpoint(void);
#if defined(__x86_64__)
#define FOR_AVX __attribute__((target("avx2"), noinline))
#else
#define FOR_AVX __attribute__((noinline))
#endif
typedef double Four __attribute__((vector_size(32), aligned(8)));

FOR_AVX static double steps(const double *x, int n) {
  Four s = *(const Four *)x, k = *(const Four *)(x + 4), c = k * s, more = c + 1.0;
  for (int i = 0; i < n; i++) {
    isozyme_checkpoint();
    s = s + 0.1 * c * s * (1.0 - s) + more * 0.001;
  }
  return s[0] + 2 * s[1] + 3 * s[2] * k[0] + 4 * s[3];
}

static double scaled(const double *x, int n) {
  double y[8];
  for (int i = 0; i < 8; ++i)
    y[i] = x[i] * x[0];
  return steps(y, n) * x[1];
}

int main() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2"))
    return puts("ok"), 0;
#endif
  double x[8], t[8];
  fill(x, 8, 3, 0.4, 0.8);
  fill(t, 8, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-3, scaled, 8, x, t, 40);
  return finish();
}
