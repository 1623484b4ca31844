// One load and one store of an integer is what LLVM makes of a memcpy of 8 bytes, in a function
// that does not show that they are an address. Its caller knows. (Were these functions static, -O3 would
// pass the integers to them, which is IZ204.)
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#define APART __attribute__((noinline))
typedef struct {
  const double *at;
  long n;
} Row;
APART void copyAddress(void *to, const void *from) { memcpy(to, from, 8); }
APART void copyRow(void *to, const void *from) { memcpy(to, from, sizeof(Row)); }
APART void choose(void *to, const void *a, const void *b, int first) { memcpy(to, first ? a : b, 8); }
APART void swapAddresses(void *a, void *b) {
  char t[8];
  memcpy(t, a, 8);
  memcpy(a, b, 8);
  memcpy(b, t, 8);
}
APART void sortRows(void **rows, int n) {
  for (int i = 1; i < n; ++i)
    for (int k = i; k > 0 && *(double *)rows[k] < *(double *)rows[k - 1]; --k)
      swapAddresses(&rows[k], &rows[k - 1]);
}
APART void swapIn(char *rows, int i, int k) { swapAddresses(rows + 8 * i, rows + 8 * k); }
APART void swapFirst(char *rows) {
  char t[8];
  memcpy(t, rows, 8);
  memcpy(rows, rows + 8, 8);
  memcpy(rows + 8, t, 8);
}
// Of two addresses in one array, one is that of numbers without derivative.
double program(const double *x) {
  Row row = {x, 2}, second, third;
  copyRow(&second, &row);
  copyAddress(&third, &second);
  const double *p = x, *q = x + 1, *r;
  swapAddresses(&p, &q);
  choose(&r, &p, &q, row.n == 2);
  const double *sorted[3] = {x, x + 1, x + 2};
  sortRows((void **)sorted, 3);
  double table[2] = {5, 6};
  const double *mixed[2] = {x, table}, *more[2] = {x + 1, table + 1};
  swapIn((char *)mixed, 0, 1);
  swapFirst((char *)more);
  return mixed[1][0] * more[1][0] * mixed[0][0] * more[0][0] + third.at[1] * second.at[0] * second.n + p[0] * q[0] * p[0] + r[0] * third.at[2] +
         sorted[0][0] * sorted[0][0] * sorted[1][0] + exp(sorted[2][0]);
}
int main(void) {
  double x[3] = {3, 4, 0.5}, d[3] = {0}, t[3] = {0.5, -1, 2};
  __enzyme_autodiff((void *)program, x, d);
  CHECK_SLOPES("program", 3, x, d, program(x));
  CHECK_FORWARD("program", __enzyme_fwddiff((void *)program, x, t), 3, t, d);
  return finish();
}
