// Addresses that a program keeps in integers, and that functions of their own move, as integers:
// nothing in these says that they are addresses, so that the shadows stayed behind and the
// derivative was 0.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2,-O3 --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O1,-O3 --plugin %plugin --clang %clang_bin --flag=-fno-strict-aliasing --flag=-DUNNAMED --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <stdint.h>
#define APART __attribute__((noinline))

APART void moveOne(long *to, const long *from) { *to = *from; }
APART void moveAll(long *to, const long *from, int n) {
  for (int i = 0; i < n; i++)
    moveOne(to + i, from + i);
}
APART void permute(uintptr_t *to, const uintptr_t *from, const int *order, int n) {
  for (int i = 0; i < n; i++)
    to[order[i]] = from[i];
}
APART void swap(size_t *a, size_t *b) {
  size_t other = *a;
  *a = *b;
  *b = other;
}
APART void reverse(long *to, const long *from, int n) {
  long turned[8];
  for (int i = 0; i < n; i++)
    turned[n - 1 - i] = from[i];
  for (int i = 0; i < n; i++)
    to[i] = turned[i];
}
APART void sort(long *at, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && at[j - 1] > at[j]; j--) {
      long other = at[j];
      at[j] = at[j - 1];
      at[j - 1] = other;
    }
}
APART void put(long *at, double *x, const int *order, int n) {
  for (int i = 0; i < n; i++)
    at[order[i]] = (long)(x + i);
}
APART double weighted(const long *at) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * *(double *)at[i] * *(double *)at[i];
  return sum;
}

static double one(double *x, const int *order) {
  long from[4], to[4];
  for (int i = 0; i < 4; i++)
    from[i] = (long)(x + i);
  for (int i = 0; i < 4; i++)
    moveOne(&to[order[i]], &from[i]);
  return weighted(to);
}
static double all(double *x, const int *order) {
  long from[4], to[4];
  put(from, x, order, 4);
  moveAll(to, from, 4);
  return weighted(to);
}
static double permuted(double *x, const int *order) {
  uintptr_t from[4], to[4];
  for (int i = 0; i < 4; i++)
    from[i] = (uintptr_t)(x + i);
  permute(to, from, order, 4);
  return weighted((long *)to);
}
static double swapped(double *x, const int *order) {
  size_t at[4];
  for (int i = 0; i < 4; i++)
    at[i] = (size_t)(x + i);
  for (int i = 0; i < 3; i++)
    swap(&at[i], &at[order[i]]);
  return weighted((long *)at);
}
/* By way of memory that the caller does not see. */
static double reversed(double *x, const int *order) {
  long from[4], to[4];
  put(from, x, order, 4);
  reverse(to, from, 4);
  return weighted(to);
}
/* By way of two such memories, one after the other. */
APART void shift(long *to, const long *from, const int *order, int n) {
  long first[8], second[8];
  moveAll(first, from, n);
  for (int i = 0; i < n; i++)
    second[order[i]] = first[i];
  moveAll(to, second, n);
}
static double shifted(double *x, const int *order) {
  long from[4], to[4];
  put(from, x, order, 4);
  shift(to, from, order, 4);
  return weighted(to);
}
static double sorted(double *x, const int *order) {
  long at[4];
  put(at, x, order, 4);
  sort(at, 4);
  return weighted(at);
}

/* Between numbers of both kinds, on the heap. */
struct box {
  long count, at[4];
  double weight;
};
APART void moveBox(struct box *to, const struct box *from, const int *order) {
  to->count = from->count;
  for (int i = 0; i < 4; i++)
    to->at[order[i]] = from->at[i];
  to->weight = from->weight;
}
static double boxed(double *x, const int *order) {
  struct box *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->count = 3;
  a->weight = x[0] * x[1];
  for (int i = 0; i < 4; i++)
    a->at[i] = (long)(x + i);
  moveBox(b, a, order);
  double sum = b->weight * b->count + weighted(b->at);
  free(a);
  free(b);
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
  TEST(one);
  TEST(all);
  TEST(permuted);
  TEST(swapped);
  TEST(reversed);
#ifndef UNNAMED // An error there: the two memories may hold numbers as well.
  TEST(shifted);
#endif
  TEST(sorted);
  TEST(boxed);
  return finish();
}
