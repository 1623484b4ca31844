// An address that a callee keeps for its reverse half may not point into its dead frame.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"

#define NOINLINE __attribute__((noinline))

typedef struct {
  double a;
  int k;
  double v[3];
} Record;

/* The place in the local is chosen by data that is gone later. */
NOINLINE double chosen(double a, int k) {
  if (k <= 0)
    return sin(a);
  Record r = {a, k, {cos(a), a * a, sin(a + a)}};
  double below = chosen(tanh(a) + 0.3 / (1.2 + fabs(r.v[k % 3])), k - 2);
  r.v[(k + (below > 0.5)) % 3] *= below;
  return r.v[(k + 1 + (below > 0.3)) % 3] + below * r.v[k % 3];
}

/* The address comes out of memory again. */
NOINLINE double stored(double a, int k) {
  double left[2] = {a, a * a}, right[2] = {sin(a), cos(a)};
  double *rows[2] = {left, right};
  for (int i = 0; i < 3; i++) {
    double *row = rows[(i + k) % 2];
    row[k % 2] = sin(row[(i + 1) % 2]) * row[0];
    rows[i % 2] = row;
  }
  return k > 0 ? rows[0][0] * stored(rows[1][1], k - 1) : rows[k & 1][1];
}

/* The callee keeps an address into its caller's local. */
NOINLINE void scale(double *p, int k) {
  int at = (int)(fabs(p[k % 3]) * 4) % 3;
  p[at] *= sin(p[(at + 1) % 3]);
  p[k % 3] += p[at] * p[at];
}
NOINLINE double lender(double a, int k) {
  double v[3] = {a, a * a, 1 - a};
  for (int i = 0; i < k; i++)
    scale(v, i);
  return v[0] * v[1] + v[2];
}

#define CHECK_ALL(F)                                                                           \
  for (int k = 0; k < 7; k++) {                                                                \
    double x = 0.43;                                                                           \
    /* Twice: what is read too late differs from one call to the next. */                      \
    double d = __enzyme_autodiff((void *)twice_##F, x, k);                                     \
    CHECK_AT(#F, k, d, SLOPE(x, twice_##F(x, k)));                                             \
  }
#define TWICE(F)                                                                               \
  double twice_##F(double x, int k) { return F(x, k) * F(x + 0.05, k + 1); }
TWICE(chosen)
TWICE(stored)
TWICE(lender)

int main(void) {
  CHECK_ALL(chosen)
  CHECK_ALL(stored)
  CHECK_ALL(lender)
  return finish();
}
