// Cells that hold numbers and addresses in turn: they are swapped, copied, overwritten and set to zero, in memory of the
// function and in that of its caller. Reverse mode could not tell which of the two was moved.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --flag=-fno-strict-aliasing --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O0 -DPAIRS -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -DPAIRS -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: {{.*}}[IZ20{{[23]}}]
#include "check.h"
#define APART __attribute__((noinline))
typedef struct {
  union {
#ifdef PAIRS // Two numbers in a word tell nothing.
    float n;
    struct {
      float low, high;
    } both;
#else
    double n;
#endif
    double *p;
  } u;
  int kind;
} cell;
APART static void copy(cell *a, const cell *b) { *a = *b; }
APART static void swap(cell *a, cell *b) {
  cell t = *a;
  *a = *b;
  *b = t;
}
APART static void number(cell *a, double x) {
  a->u.n = x;
  a->kind = 0;
}
APART static void place(cell *a, double *x) {
  a->u.p = x;
  a->kind = 1;
}
APART static double get(const cell *a) { return a->kind ? *a->u.p : a->u.n; }
double cells(double *x, cell *c, int n) {
  double s = 0;
  double *q = malloc(2 * sizeof *q);
  q[0] = x[0] * x[1];
  q[1] = sin(x[1]);
  number(&c[0], x[0]);
  place(&c[1], q);
  number(&c[2], -3);
  number(&c[3], 0.0);
  for (int i = 0; i < n; i++) {
    swap(&c[i % 4], &c[(i * 3 + 1) % 4]);
    s = s * 1.1 + get(&c[0]) * get(&c[1]) + cos(get(&c[2])) * x[0];
    copy(&c[(i + 2) % 4], &c[(i + 1) % 4]);
    if (i % 3 == 0)
      number(&c[i % 4], s * 0.3);
    if (i % 5 == 1)
      place(&c[(i + 1) % 4], &q[i & 1]);
    if (i % 4 == 3)
      memset(&c[i % 3], 0, sizeof(cell));
    s = sin(s) + get(&c[i % 4]);
  }
  double r = s + get(&c[0]) + 2 * get(&c[1]) + 3 * get(&c[3]);
  free(q);
  for (int k = 0; k < 4; k++)
    number(&c[k], 0);
  return r;
}
double own(double *x, int n) {
  cell c[4];
  memset(c, 0xa5, sizeof c);
  return cells(x, c, n);
}
int main(void) {
  for (int n = 0; n < 25; n++) {
    double x[2] = {0.7, 1.3}, d[2] = {0}, others[2] = {0};
    cell c[4], shadow[4] = {0};
    memset(c, 0xa5, sizeof c);
    __enzyme_autodiff((void *)own, enzyme_dup, x, d, enzyme_const, n);
    __enzyme_autodiff((void *)cells, enzyme_dup, x, others, enzyme_dup, c, shadow, enzyme_const, n);
    for (int k = 0; k < 2; k++) {
      double along[2] = {k == 0, k == 1}, slope = SLOPE(x[k], own(x, n));
      CHECK_AT("own", n, d[k], slope);
      CHECK_AT("of the caller", n, others[k], slope);
      CHECK_AT("forward", n, __enzyme_fwddiff((void *)own, enzyme_dup, x, along, enzyme_const, n), slope);
    }
  }
  return finish();
}
