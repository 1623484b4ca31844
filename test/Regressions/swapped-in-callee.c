// A function swaps two unions, one with a number and one with an address, or two with numbers. All
// that it shows of them is a local variable that looks like the first member: nothing was
// differentiated, or addresses only.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd --flag=-fno-strict-aliasing %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --levels=-O1 --flag=-I%S/../EndToEnd --flag=-fno-inline %s
#include "check.h"

#define UNION(NAME, FIRST)                                                                         \
  typedef union {                                                                                  \
    struct {                                                                                       \
      FIRST                                                                                        \
    } words;                                                                                       \
    double number;                                                                                 \
    const double *address;                                                                         \
  } NAME;                                                                                          \
  __attribute__((noinline)) static void swap_##NAME(NAME *a, NAME *b) {                            \
    NAME other = *a;                                                                               \
    *a = *b;                                                                                       \
    *b = other;                                                                                    \
  }                                                                                                \
  static double address_##NAME(const double *x) {                                                  \
    double y = x[1];                                                                               \
    NAME u = {{0, 0}}, v = {{0, 0}};                                                               \
    u.number = x[0];                                                                               \
    v.address = &y;                                                                                \
    swap_##NAME(&u, &v);                                                                           \
    return v.number * v.number * *u.address;                                                       \
  }                                                                                                \
  static double numbers_##NAME(const double *x) {                                                  \
    NAME u = {{0, 0}}, v = {{0, 0}};                                                               \
    u.number = x[0];                                                                               \
    v.number = x[1];                                                                               \
    swap_##NAME(&u, &v);                                                                           \
    return v.number * v.number * u.number;                                                         \
  }
UNION(ofIntegers, long a; long b;)
UNION(ofAddresses, void *a; void *b;)
UNION(ofBoth, long a; double *b;)

#define GRADIENT(F)                                                                                \
  {                                                                                                \
    double d[2] = {0};                                                                             \
    __enzyme_autodiff((void *)F, enzyme_dup, x, d);                                                \
    CHECK_AT(#F, 0, d[0], 12);                                                                     \
    CHECK_AT(#F, 1, d[1], 4);                                                                      \
  }

int main(void) {
  double x[2] = {2, 3};
  GRADIENT(address_ofIntegers)
  GRADIENT(numbers_ofIntegers)
  GRADIENT(address_ofAddresses)
  GRADIENT(numbers_ofAddresses)
  GRADIENT(address_ofBoth)
  GRADIENT(numbers_ofBoth)
  return finish();
}
