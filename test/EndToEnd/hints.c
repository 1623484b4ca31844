// What memory holds, said by calls: floats and doubles, in functions that only copy.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --keep plan %s
#include "check.h"
#include <string.h>

void __enzyme_autodiff_v(void *, ...);
void __enzyme_float(void *, ...);
void __enzyme_double(void *, ...);
void __enzyme_pointer(void *, ...);
void __enzyme_integer(void *, ...);
extern int enzyme_strong_zero;
#define APART __attribute__((noinline))

APART void floats(void *to, const void *from) {
  __enzyme_float(to, 24);
  memcpy(to, from, 24);
}
APART void doubles(void *to, const void *from, long bytes) {
  __enzyme_double(to, 24);
  __enzyme_double((void *)from, 24);
  memcpy(to, from, 24);
}
APART void pointers(void *to, const void *from) {
  __enzyme_pointer(to, 8);
  memcpy(to, from, 8);
}
APART void integers(void *to, const void *from) {
  __enzyme_integer(to, 8);
  memcpy(to, from, 8);
}
double product(const double *x, long at) {
  const double *from = x, *to;
  long index;
  pointers(&to, &from);
  integers(&index, &at);
  return to[index] * to[0];
}
double square(double x) { return x * x; }

int main(void) {
  float a[6] = {1, 2, 3, 4, 5, 6}, b[6], da[6] = {0}, db[6] = {1, 2, 3, 4, 5, 6};
  __enzyme_autodiff_v((void *)floats, enzyme_dup, b, db, enzyme_dup, a, da);
  CHECK("float, first", da[0], 1);
  CHECK("float, last", da[5], 6);
  CHECK("float, taken", db[5], 0);
  double c[3] = {1, 2, 3}, d[3], dc[3] = {0}, dd[3] = {1, 2, 3};
  __enzyme_autodiff_v((void *)doubles, enzyme_dup, d, dd, enzyme_dup, c, dc, 24L);
  CHECK("double", dc[2], 3);
  double dproduct[3] = {0};
  __enzyme_autodiff((void *)product, c, dproduct, 2L);
  CHECK("pointer", dproduct[0], 3);
  CHECK("integer", dproduct[2], 1);
  // Accepted: it is what Isozyme does.
  CHECK("strong zero", __enzyme_autodiff((void *)square, enzyme_strong_zero, enzyme_out, 3.0), 6);
  return finish();
}
