// Either a number or an address, and a function that sees no more than that: it moves the
// number as it moves the address. Its caller knows better.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2,-O3 --flag=-I%S/../EndToEnd %s
#include "check.h"
struct either {
  union {
    double number;
    double *place;
  };
  int isPlace;
};
__attribute__((noinline)) static void move(struct either *to, struct either *from) {
  to->isPlace = from->isPlace;
  if (from->isPlace) {
    to->place = from->place;
    from->place = 0;
  } else {
    memcpy(&to->number, &from->number, sizeof(double));
  }
}
__attribute__((noinline)) static void hand(struct either *to, struct either *from) {
  struct either between;
  move(&between, from);
  move(to, &between);
}
static double get(const struct either *e) { return e->isPlace ? *e->place : e->number; }
double sum(const double *x, int which) {
  struct either a, b, c, d;
  double square = x[1] * x[1];
  memcpy(&a.number, x, sizeof(double));
  a.isPlace = 0;
  b.place = &square;
  b.isPlace = 1;
  hand(&c, which ? &a : &b);
  hand(&d, which ? &b : &a);
  return 3 * get(&c) + get(&d);
}
int main(void) {
  double x[2] = {1.5, -0.7}, t[2] = {0.5, 2};
  CHECK("first", __enzyme_fwddiff((void *)sum, enzyme_dup, x, t, enzyme_const, 1),
        3 * t[0] + 2 * x[1] * t[1]);
  CHECK("second", __enzyme_fwddiff((void *)sum, enzyme_dup, x, t, enzyme_const, 0),
        t[0] + 6 * x[1] * t[1]);
  for (int which = 0; which < 2; which++) {
    double d[2] = {};
    __enzyme_autodiff((void *)sum, enzyme_dup, x, d, enzyme_const, which);
    CHECK("by the first", d[0], which ? 3 : 1);
    CHECK("by the second", d[1], (which ? 2 : 6) * x[1]);
  }
  return finish();
}
