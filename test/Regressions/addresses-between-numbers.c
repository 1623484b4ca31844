// Records of a number and an address are put together in a buffer: the numbers one by one, wherever
// a table says, the addresses as words. Reverse mode took the words for numbers, too, as the caller
// was told, and the derivative was wrong. Where the table is not in the code, it is an error.
// RUN: %clang -w -O2 -I%S/../EndToEnd %s -o %t -lm && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-DFORWARD --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O0 -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O1 -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O1 -fno-strict-aliasing -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: what is moved here may be a differentiated float, or else an address
// RIGHT: ok
#include "check.h"
struct record {
  double number;
  double *place;
};
static const int table[4] = {4, 0, 6, 2};

__attribute__((noinline)) static void shuffle(struct record *r, int n) {
  char *buffer = malloc(sizeof *r * n);
  for (int i = 0; i < n; i++) {
    ((double *)buffer)[table[i]] = r[i].number * r[i].number;
    memcpy(buffer + 8 * table[i] + 8, &r[n - 1 - i].place, 8);
  }
  memcpy(r, buffer, sizeof *r * n);
  free(buffer);
}

__attribute__((noinline)) static double use(const struct record *r, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += r[i].number * *r[i].place * (i + 1);
  return sum;
}

double f(double *x) {
  struct record *r = malloc(4 * sizeof *r);
  for (int i = 0; i < 4; i++) {
    r[i].number = sin(x[i]);
    r[i].place = x + i;
  }
  shuffle(r, 4);
  double sum = use(r, 4);
  free(r);
  return sum;
}

int main(void) {
  double x[4] = {0.3, -0.2, 0.8, 0.5}, t[4] = {1, -1, 0.5, 2}, d[4] = {0};
#ifdef FORWARD
  for (int i = 0; i < 4; i++) {
    double unit[4] = {0};
    unit[i] = 1;
    d[i] = __enzyme_fwddiff((void *)f, x, unit);
  }
#else
  __enzyme_autodiff((void *)f, x, d);
#endif
  CHECK_SLOPES("x", 4, x, d, f(x));
  CHECK_FORWARD("f", __enzyme_fwddiff((void *)f, x, t), 4, t, d);
  return finish();
}
