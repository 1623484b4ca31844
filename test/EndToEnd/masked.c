// Vector loads and stores under a mask: whole, per lane with repeated addresses, packed.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef double v4 __attribute__((ext_vector_type(4)));
typedef long l4 __attribute__((ext_vector_type(4)));
typedef _Bool b4 __attribute__((ext_vector_type(4)));

static inline double sumOf(v4 v) { return v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3]; }
static inline b4 maskOf(int bits) {
  return (b4){bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1};
}

double whole(const double *x, int bits) {
  double y[4] = {x[3], x[2], x[1], x[0]};
  v4 other = {x[4], x[5], x[6], x[7]};
  v4 a = __builtin_masked_load(maskOf(bits), x, other * other);
  v4 b = a * a * a;
  __builtin_masked_store(maskOf(~bits), b, y);
  return sumOf(b) * y[0] + y[1] * y[2] * y[3];
}
double perLane(const double *x, int bits) {
  double y[8];
  for (int i = 0; i < 8; i++)
    y[i] = x[i] * x[i];
  v4 other = {x[0], x[1], x[2], x[3]};
  v4 a = __builtin_masked_gather(maskOf(bits), (l4){5, 2, 5, 7}, y, other);
  v4 b = a * a;
  __builtin_masked_scatter(maskOf(bits), (l4){3, 1, 3, 3}, b, y);
  double sum = sumOf(a);
  for (int i = 0; i < 8; i++)
    sum += y[i] * x[7 - i] * (i + 1);
  return sum;
}
double packed(const double *x, int bits) {
  double y[8];
  for (int i = 0; i < 8; i++)
    y[i] = x[i] * x[7 - i];
  v4 other = {x[4], x[5], x[6], x[7]};
  v4 a = __builtin_masked_expand_load(maskOf(bits), y, other);
  v4 b = a * a * other;
  __builtin_masked_compress_store(maskOf(bits), b, y + 2);
  double sum = sumOf(b);
  for (int i = 0; i < 8; i++)
    sum += y[i] * y[i] * (i + 1);
  return sum;
}
double loop(const double *x, int bits) {
  double y[8] = {0};
  for (int round = 0; round < 4; round++) {
    v4 a = __builtin_masked_load(maskOf(bits + 3 * round), x + round, (v4){1, 1, 1, 1});
    v4 old = __builtin_masked_gather(maskOf(round + 5), (l4){round, 2, 2, 7 - round}, y, a);
    __builtin_masked_scatter(maskOf(15 - round), (l4){0, round, 2 * round, 7}, a * a + old, y);
  }
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += y[i] * x[i];
  return sum;
}

#define TEST(F)                                                                                    \
  for (int bits = 0; bits < 16; bits += 3) {                                                       \
    double dx[8] = {0};                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_const, bits);                           \
    for (int i = 0; i < 8; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE(x[i], F(x, bits)));                                             \
    CHECK(#F " jvp", __enzyme_fwddiff((void *)F, enzyme_dup, x, t, enzyme_const, bits),            \
          innerProduct(t, dx, 8));                                                                 \
  }

int main(void) {
  double x[8], t[8];
  fill(x, 8, 51, -1, 1);
  fill(t, 8, 52, -1, 1);
  TEST(whole);
  TEST(perLane);
  TEST(packed);
  TEST(loop);
  return finish();
}
