// A function swaps two unions, one with a number and one with an address. All that it shows of them
// is a local variable that looks like the first member: nothing was differentiated.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd --flag=-fno-strict-aliasing %s
#include "check.h"
typedef union {
  struct {
    long a, b;
  } words;
  double number;
  const double *address;
} any;

__attribute__((noinline)) static void swap(any *a, any *b) {
  any other = *a;
  *a = *b;
  *b = other;
}
static double numberAndAddress(const double *x) {
  double y = x[1];
  any u = {{0, 0}}, v = {{0, 0}};
  u.number = x[0];
  v.address = &y;
  swap(&u, &v);
  return v.number * v.number * *u.address;
}
static double numbers(const double *x) {
  any u = {{0, 0}}, v = {{0, 0}};
  u.number = x[0];
  v.number = x[1];
  swap(&u, &v);
  return v.number * v.number * u.number;
}

int main(void) {
  double x[2] = {2, 3}, d[2] = {0}, e[2] = {0};
  __enzyme_autodiff((void *)numberAndAddress, enzyme_dup, x, d);
  __enzyme_autodiff((void *)numbers, enzyme_dup, x, e);
  for (int i = 0; i < 2; i++) {
    CHECK_AT("number and address", i, d[i], i ? 4 : 12);
    CHECK_AT("numbers", i, e[i], i ? 4 : 12);
  }
  return finish();
}
