// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
/* Numbers that are only copied before an array of lists that is walked: they are none of them. */
typedef struct {
  double *begin, *end;
} List;
typedef struct {
  char numbers[16];
  List lists[3];
} Record;
__attribute__((noinline)) static void copy(Record *to, const Record *from, unsigned n) {
  memcpy(to->numbers, from->numbers, 16);
  const List *l = from->lists;
  List *m = to->lists;
  for (unsigned i = 0; i < n; i++) {
    m[i].begin = l[i].begin;
    m[i].end = l[i].end;
    *m[i].begin *= 2;
  }
}
/* The same by steps that may go back. */
__attribute__((noinline)) static void copyOne(Record *to, const Record *from, int k) {
  memcpy(to->numbers, from->numbers, 16);
  const List *l = from->lists + 1;
  List *m = to->lists + 1;
  m[k].begin = l[k].begin;
  m[k].end = l[k].end;
  *m[k].begin *= 2;
}
static double f(const double *in, int n) {
  Record a, b;
  double values[3] = {in[2], in[3], in[4]}, numbers[2] = {in[0] * in[1], in[5]};
  memcpy(a.numbers, numbers, 16);
  for (int i = 0; i < 3; i++)
    a.lists[i] = (List){values + i, values + 3};
  if (n == 6)
    copy(&b, &a, 3);
  else
    for (int k = 0; k < 3; k++)
      copyOne(&b, &a, atoi(k == 0 ? "-1" : k == 1 ? "0" : "1"));
  memcpy(numbers, b.numbers, 16);
  return numbers[0] * numbers[1] * *b.lists[0].begin + *b.lists[1].begin * b.lists[2].begin[0];
}
int main(void) {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION(f, 6, x, t, 6);
  CHECK_FUNCTION(f, 6, x, t, 5);
  return finish();
}
