// Addresses in members of records that are integers to the source. Functions that move such a
// member by its name saw a number, which left the shadow behind; without names (-O0), it counted as
// declared. Those that get an address as an integer, or return one, are an error.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O1,-O2,-O3 --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O1 -DBY_VALUE -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: argument 2 of 'link' carries the address of differentiated memory in an integer
#include "check.h"
#include <stdint.h>
#define APART __attribute__((noinline))

struct node {
  uintptr_t next;
  double value;
};
struct record {
  long count;
  double value;
  double *first;
  long second;
};
APART void moveRecord(struct record *to, const struct record *from) {
  to->count = from->count;
  to->value = from->value;
  to->first = from->first;
  to->second = from->second;
}
APART void relink(struct node *to, const struct node *from) { to->next = from->next; }
APART void link(struct node *to, uintptr_t next) { to->next = next; }

static double records(double *x, const int *order) {
  struct record a[4], b[4];
  for (int i = 0; i < 4; i++)
    a[i] = (struct record){i, x[i], x + i, (long)(x + order[i])};
  for (int i = 0; i < 4; i++)
    moveRecord(&b[order[i]], &a[i]);
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * b[i].value * *b[i].first * *(double *)b[i].second * b[i].count;
  return sum;
}
static double list(double *x, const int *order) {
  struct node a[4], b[4];
  for (int i = 0; i < 4; i++) {
    a[i].value = x[i] * x[i];
#ifdef BY_VALUE
    link(&a[i], (uintptr_t)(a + order[i]));
#else
    a[i].next = (uintptr_t)(a + order[i]);
#endif
  }
  for (int i = 0; i < 4; i++) {
    b[i].value = x[i];
    relink(&b[i], &a[i]);
  }
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += b[i].value * (i + 1) * ((struct node *)b[i].next)->value;
  return sum;
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double dx[4] = {0};                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_const, order);                          \
    for (int i = 0; i < 4; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE_WITHIN(1e-4, x[i], F(x, order)));                               \
  } while (0)

int main() {
  double x[4] = {0.3, 0.9, -0.4, 0.7};
  int order[4] = {2, 0, 3, 1};
  TEST(records);
  TEST(list);
  return finish();
}
