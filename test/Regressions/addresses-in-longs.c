// Addresses that a program keeps in integers, and moves from place to place: where they moved,
// their shadows stayed behind, so that derivatives went to other elements, or nowhere. The tag of
// such a move says `long`.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2,-O3 --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <stdint.h>
#include <string.h>

struct table {
  long from[4], to[4];
  double *first;
};

static double weighted(const long *at) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * *(double *)at[i] * *(double *)at[i];
  return sum;
}

// Each gets the place of another.
static double permuted(double *x, const int *order) {
  long from[4], to[4];
  for (int i = 0; i < 4; i++)
    from[i] = (long)(x + i);
  for (int i = 0; i < 4; i++)
    to[order[i]] = from[i];
  return weighted(to);
}

static double swapped(double *x, const int *order) {
  uintptr_t at[4];
  for (int i = 0; i < 4; i++)
    at[i] = (uintptr_t)(x + i);
  for (int i = 0; i < 3; i++) {
    uintptr_t other = at[i];
    at[i] = at[order[i]];
    at[order[i]] = other;
  }
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * *(double *)at[i] * *(double *)at[i];
  return sum;
}

// Beside an address that is one.
static double inRecord(double *x, const int *order) {
  struct table t;
  t.first = x;
  for (int i = 0; i < 4; i++)
    t.from[i] = (long)(x + i);
  for (int i = 0; i < 4; i++)
    t.to[order[i]] = t.from[i];
  return *t.first + weighted(t.to);
}

static double copied(double *x, const int *order) {
  struct table t;
  t.first = x;
  for (int i = 0; i < 4; i++) {
    double *place = x + i;
    memcpy(&t.from[i], &place, sizeof place);
  }
  for (int i = 0; i < 4; i++)
    t.to[order[i]] = t.from[i];
  double sum = *t.first;
  for (int i = 0; i < 4; i++) {
    double *place;
    memcpy(&place, &t.to[i], sizeof place);
    sum += (i + 1) * *place * *place;
  }
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
  TEST(permuted);
  TEST(swapped);
  TEST(inRecord);
  TEST(copied);
  return finish();
}
