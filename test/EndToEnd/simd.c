// Vector types of the compiler: lanes, shuffles, reductions by hand, loads and stores.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef double Four __attribute__((vector_size(32)));

double lanes(const double *x, int n) {
  Four sum = {0, 0, 0, 0};
  for (int i = 0; i + 4 <= n; i += 4) {
    Four v;
    memcpy(&v, x + i, sizeof v);
    sum += v * v * (Four){1, 2, 3, 4} - v / (2 + v);
  }
  Four swapped = __builtin_shufflevector(sum, sum, 2, 3, 0, 1);
  sum = sum * swapped;
  return sum[0] + sum[1] * sum[2] - sum[3];
}
double stored(const double *x, int n) {
  double out[8];
  for (int i = 0; i < n; i += 4) {
    Four v = {x[i], x[i + 1], x[i + 2], x[i + 3]};
    v[1] *= v[0];
    v = -v + 1;
    memcpy(out + i, &v, sizeof v);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += out[i] * out[n - 1 - i];
  return sum;
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double dx[8] = {0};                                                                            \
    __enzyme_autodiff((void *)F, x, dx, 8);                                                        \
    for (int i = 0; i < 8; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE(x[i], F(x, 8)));                                                \
    CHECK(#F " jvp", __enzyme_fwddiff((void *)F, x, t, 8), innerProduct(t, dx, 8));                \
  } while (0)

int main(void) {
  double x[8], t[8];
  fill(x, 8, 2, -1, 1);
  fill(t, 8, 3, -1, 1);
  TEST(lanes);
  TEST(stored);
  return finish();
}
