// Records that hold a number or an address of one, in turn, swapped by a function that knows their size alone.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

static void swap(void *a, void *b, size_t n) {
  char kept[512];
  memcpy(kept, a, n);
  memcpy(a, b, n);
  memcpy(b, kept, n);
}
static inline __attribute__((always_inline)) void reverse(char *at, int n, size_t size) {
  for (int i = 0; i < n / 2; i++)
    swap(at + i * size, at + (n - 1 - i) * size, size);
}

typedef struct {
  long kind;
  union {
    double v;
    double *p;
  } u;
} item;
static __attribute__((noinline)) double valueOf(const item *i) { return i->kind ? *i->u.p : i->u.v; }

static __attribute__((noinline)) void reverseItems(void *at) { reverse(at, 4, sizeof(item)); }

double small(const double *x) {
  double y[2] = {x[0] * x[1], x[2] * x[3]}, sum = 0;
  item all[4];
  for (int i = 0; i < 4; i++) {
    all[i].kind = i & 1;
    if (i & 1)
      all[i].u.p = &y[i / 2];
    else
      all[i].u.v = x[i] * x[i];
  }
  reverseItems(all);
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * valueOf(&all[i]);
  return sum;
}

typedef struct {
  double more[40];
  item one;
} large;
static __attribute__((noinline)) void reverseLarge(void *at) { reverse(at, 4, sizeof(large)); }

double many(const double *x) {
  double y[2] = {x[0] * x[1], x[2] * x[3]}, sum = 0;
  large all[4];
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 40; k++)
      all[i].more[k] = x[(i + k) % 4] * k;
    all[i].one.kind = i & 1;
    if (i & 1)
      all[i].one.u.p = &y[i / 2];
    else
      all[i].one.u.v = x[i] * x[i];
  }
  reverseLarge(all);
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * valueOf(&all[i].one) * all[i].more[7 * i];
  return sum;
}

int main(void) {
  double x[4], t[4];
  fill(x, 4, 19, 0.2, 1.2);
  fill(t, 4, 23, -1, 1);
  CHECK_FUNCTION(small, 4, x, t);
  CHECK_FUNCTION(many, 4, x, t);
  return finish();
}
