// The gradient of out[i] = in[i] / mag(in, n) stays O(n): the calls of mag are counted.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-DINLINED %s
#include "check.h"

enum { N = 200 };
static volatile int calls;

#ifdef INLINED
static inline __attribute__((always_inline)) double mag(const double *in, int n) {
#else
// `pure` lets the compiler move the call out of the loop; the counter, which it
// may then skip along with the call, shows how often it is really made.
__attribute__((noinline, pure)) double mag(const double *in, int n) {
  calls++;
#endif
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[i] * in[i];
  return sqrt(sum);
}

__attribute__((noinline)) void normalize(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] / mag(in, n);
}

int main(void) {
  double in[N], out[N] = {0}, seed[N], dout[N], din[N] = {0}, tin[N], tout[N] = {0};
  fill(in, N, 1, -1, 1);
  fill(seed, N, 2, -1, 1);
  fill(tin, N, 3, -1, 1);
  memcpy(dout, seed, sizeof seed);

  normalize(out, in, N);
  int primalCalls = calls;
  calls = 0;
  __enzyme_autodiff((void *)normalize, enzyme_dup, out, dout, enzyme_dup, in, din, N);
  int gradientCalls = calls;
  printf("mag was called %d times, by the gradient %d times\n", primalCalls, gradientCalls);
  if (gradientCalls > 2 * primalCalls) {
    puts("FAILED: the gradient is not O(n)");
    failures++;
  }

  double m = sqrt(innerProduct(in, in, N)), along = innerProduct(seed, in, N);
  for (int i = 0; i < N; i++) {
    CHECK_AT("din", i, din[i], seed[i] / m - in[i] * along / (m * m * m));
    CHECK_AT("dout", i, dout[i], 0);
    CHECK_AT("out", i, out[i], in[i] / m);
  }
  __enzyme_fwddiff((void *)normalize, enzyme_dup, out, tout, enzyme_dup, in, tin, N);
  CHECK("dot product", innerProduct(tout, seed, N), innerProduct(tin, din, N));
  return finish();
}
