// A function is given an address as an integer and only counts with it, as a hash table does: nothing of the address is
// needed in the derivative. The shadow goes with the pointer itself.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef struct {
  const double *at;
} Reference;

__attribute__((noinline)) static double bucket(const double *x, long key, long n) {
  return x[(key >> 4) & 1] + x[(key & 8) / 8] + x[n - 1];
}
__attribute__((noinline)) static double looked(const double *x, const Reference *references, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += *references[i].at * bucket(x, (long)references[i].at, n);
  return sum;
}
static double hashed(const double *x, int n) {
  Reference references[8];
  for (int i = 0; i < n; i++)
    references[i].at = &x[i];
  return looked(x, references, n);
}

int main(void) {
  static _Alignas(32) double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, hashed, 6, x, t, 6);
  return finish();
}
