// A branch leaves a number or an address in a union, and the union is moved as the double that is
// its first member: by the optimiser one store of an integer, which lost the adjoint of the number
// or the shadow of the address. What is moved by a function of its own, callers know. (Where all of
// it is in registers, it is an error: IZ202.)
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1 --keep plan --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1 --keep plan --plugin %plugin --clang %clang_bin --flag=-fno-strict-aliasing --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O2,-O3 --keep plan --plugin %plugin --clang %clang_bin --flag=-DONLY_APART --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O2 -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: the bits of a differentiated float are handed on as an address
#include "check.h"
#include <string.h>
#define APART __attribute__((noinline))

union word {
  double number;
  double *address;
  long bits;
};

static double weighed(const union word *w, const int *kind, const double *x) {
  const int at[] = {1, 0, 2};
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += (k + 1) * (kind[at[k]] ? *w[k].address * x[0] : w[k].number * x[1]);
  return sum;
}

static double cast(double *x, const int *kind) {
  union word w[3];
  for (int k = 0; k < 3; k++)
    if (kind[k])
      w[k].bits = (long)(x + k);
    else
      w[k].number = x[k];
  union word t = w[0];
  w[0] = w[1];
  w[1] = t;
  return weighed(w, kind, x);
}

static double copied(double *x, const int *kind) {
  union word w[3], v[3];
  for (int k = 0; k < 3; k++) {
    long bits;
    if (kind[k])
      bits = (long)(x + k);
    else
      memcpy(&bits, x + k, sizeof bits);
    w[k].bits = bits;
  }
  for (int k = 0; k < 3; k++)
    v[k].bits = w[k == 2 ? 2 : 1 - k].bits;
  return weighed(v, kind, x);
}

static APART void swap(union word *a, union word *b) {
  double t = a->number;
  a->number = b->number;
  b->number = t;
}
static double apart(double *x, const int *kind) {
  union word w[3];
  for (int k = 0; k < 3; k++)
    if (kind[k])
      w[k].address = x + k;
    else
      w[k].number = x[k];
  swap(w, w + 1);
  return weighed(w, kind, x);
}

static void test(const char *name, double (*f)(double *, const int *),
                 void gradient(double *, double *, const int *)) {
  double x[3] = {0.3, 0.9, -0.4};
  for (int m = 0; m < 8; m++) {
    int kind[3] = {m & 1, m >> 1 & 1, m >> 2};
    double d[3] = {0};
    gradient(x, d, kind);
    for (int i = 0; i < 3; i++)
      CHECK_AT(name, i, d[i], SLOPE(x[i], f(x, kind)));
  }
}
#define GRADIENT(F)                                                                                \
  static void F##_gradient(double *x, double *d, const int *kind) {                                \
    __enzyme_autodiff((void *)F, enzyme_dup, x, d, enzyme_const, kind);                            \
  }
GRADIENT(apart)
#ifndef ONLY_APART
GRADIENT(cast)
GRADIENT(copied)
#endif

int main(void) {
  test("apart", apart, apart_gradient);
#ifndef ONLY_APART
  test("cast", cast, cast_gradient);
  test("copied", copied, copied_gradient);
#endif
  return finish();
}
