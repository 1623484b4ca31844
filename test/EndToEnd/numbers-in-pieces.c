// A number that functions which are not inlined put into a record and take out of it in two pieces, its first byte as a
// char and the rest by memcpy: its derivative is right, or it is an error. It was zero at -O1.
// Sanitizers are run at -O1, where it is the error.
// UNSUPPORTED: memcheck
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0 %s
// RUN: not %clang -O1 -I%S -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -I%S -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: {{.*}} [IZ20{{[23]}}]
#include "check.h"
#define APART __attribute__((noinline))

struct piece {
  char first;
  char rest[7];
};
static APART void put(struct piece *p, const double *v) {
  p->first = *(const char *)v;
  memcpy(p->rest, (const char *)v + 1, 7);
}
static APART double get(const struct piece *p) {
  double v;
  *(char *)&v = p->first;
  memcpy((char *)&v + 1, p->rest, 7);
  return v;
}
double moved(const double *x, int n) {
  double v = x[0] * x[n - 1];
  struct piece p;
  put(&p, &v);
  return get(&p) * x[1];
}

int main() {
  double x[3], t[3];
  fill(x, 3, 14, 0.5, 1.5);
  fill(t, 3, 15, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, moved, 3, x, t, 3);
  return finish();
}
