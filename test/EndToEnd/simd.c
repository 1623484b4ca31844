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

typedef float Eight __attribute__((vector_size(32)));
typedef int FourInts __attribute__((vector_size(16)));
typedef long FourLongs __attribute__((vector_size(32)));

double chosenLanes(const double *x, int n) {
  Four v = {x[0], x[1], x[2], x[3]}, w = {x[4], x[5], x[6], x[7]};
  for (int i = 0; i < n; i++) {
    v[i % 4] *= w[(i * i + 1) % 4];
    w[(3 * i) % 4] = v[(i + 2) % 4] + x[i];
  }
  FourLongs less = v < w;
  Four smaller = (Four)(((FourLongs)v & less) | ((FourLongs)w & ~less));
  FourInts whole = __builtin_convertvector(4 * v, FourInts);
  return smaller[0] * smaller[3] + (v[1] - w[2]) * whole[1] + (v == w)[0] * x[0] + v[n % 4];
}

struct cell {
  int count;
  Four value;
  Eight floats;
};
static __attribute__((noinline)) Four stepped(Four v, struct cell *c, int by) {
  c->count += by;
  c->value = c->value * v + by;
  return __builtin_shufflevector(v, c->value, 0, 5, 5, 3) * 0.5;
}
double inStructs(const double *x, int n) {
  struct cell cells[2] = {{0, {1, 2, 3, 4}, {0}}, {1, {x[0], x[1], x[2], x[3]}, {0}}};
  Four v = {x[4], x[5], x[6], x[7]};
  for (int i = 0; i < n; i++) {
    v = stepped(v, &cells[i % 2], i % 3);
    cells[i % 2].floats[i % 8] += (float)v[i % 4];
  }
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += cells[0].value[i] * cells[1].value[3 - i] + v[i] * cells[i % 2].count;
  return sum * 1e-3 + cells[0].floats[0] * 0;
}

/* Overflow checks and saturation choose places, and carry no derivative. */
double places(const double *x, int n) {
  double sum = 0;
  int at = 1;
  for (int i = 0; i < n; i++) {
    int next;
    if (__builtin_mul_overflow(at, 1000003, &next) || __builtin_add_overflow(next, i, &next))
      next = at % 1000 + i;
    at = next;
    unsigned char few = __builtin_elementwise_add_sat((unsigned char)(at % 200), (unsigned char)90);
    unsigned less = __builtin_elementwise_sub_sat((unsigned)i, 3u);
    sum += x[((unsigned)at) % n] * x[few % n] * x[less];
  }
  return sum;
}

#define TEST(F) CHECK_FUNCTION(F, 8, x, t, 8)

int main(void) {
  double x[8], t[8];
  fill(x, 8, 2, -1, 1);
  fill(t, 8, 3, -1, 1);
  TEST(lanes);
  TEST(stored);
  TEST(chosenLanes);
  TEST(inStructs);
  TEST(places);
  return finish();
}
