// How a vector is passed depends on the target features of a function: the tape of a function for AVX, which holds
// vectors, goes to a caller without AVX as arrays. Parts of vectors were lost, and gradients were wrong.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#if defined(__x86_64__)
#define FOR_AVX __attribute__((target("avx2"), noinline))
#else
#define FOR_AVX __attribute__((noinline))
#endif
typedef double Four __attribute__((vector_size(32), aligned(8)));
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

// Overwrites what its derivative needs.
FOR_AVX static double squares(double *a, int n) {
  Four sum = {0, 0, 0, 0};
  for (int i = 0; i < n; i += 4) {
    Four *v = (Four *)(a + i);
    sum += *v * *v;
    *v = *v * *v * sum;
  }
  return sum[0] + 2 * sum[1] + 3 * sum[2] + 4 * sum[3];
}

FOR_AVX static double four(const double *a) {
  Four v = *(const Four *)a;
  v = v * v * v + v;
  return v[0] * v[3] + v[1] * v[2];
}

static double overwritten(const double *x, int n) {
  double a[8];
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[0];
  double sum = squares(a, 8);
  sum += a[2] * a[7] * squares(a, 4) + a[5];
  a[3] += sum * 0.1;
  sum *= four(a + 2);
  a[4] = sum;
  return four(a + 1) + sum;
}

int main() {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2"))
    return puts("ok"), 0;
#endif
  double x[8], t[8], d[8] = {0}, once[8] = {0};
  fill(x, 8, 3, 0.4, 0.8);
  fill(t, 8, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, overwritten, 8, x, t, 8);
  __enzyme_autodiff((void *)four, enzyme_dup, x, once);
  void *tape = __enzyme_augmentfwd((void *)four, enzyme_dup, x, d);
  double kept[8];
  for (int i = 0; i < 8; ++i) {
    kept[i] = x[i];
    x[i] = 0;
  }
  __enzyme_reverse((void *)four, enzyme_dup, x, d, 1.0, tape);
  for (int i = 0; i < 8; ++i)
    CHECK_AT("four", i, d[i], once[i]);
  for (int i = 0; i < 8; ++i)
    x[i] = kept[i];
  return finish();
}
