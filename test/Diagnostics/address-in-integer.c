// An address that a function is given, or gives back, as an integer: neither its shadow nor a
// derivative of zero is right in its place.
// RUN: not %clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>
#include <stdint.h>
#include <string.h>
#define APART __attribute__((noinline)) static

double __enzyme_autodiff(void *, ...);

APART void put(void *slot, uintptr_t v) { memcpy(slot, &v, 8); }
APART double stored(const double *x) {
  const double *p;
  put(&p, (uintptr_t)x);
  return p[0] * p[1];
}
// CHECK-DAG: error: argument 2 of 'put' carries the address of differentiated memory in an integer; pass it as a pointer, or a pointer to what holds it [IZ204]

APART uintptr_t get(const void *slot) {
  uintptr_t v;
  memcpy(&v, slot, 8);
  return v;
}
APART double read(const double *x) {
  const double *p = (const double *)get(&x);
  return p[0] * p[1];
}
// CHECK-DAG: error: a pointer made from an integer leads to differentiated data; {{.*}} [IZ204]

APART uintptr_t pass(uintptr_t v, long n) { return n ? v : 0; }
APART double passed(const double *x, long n) {
  const double *p = (const double *)pass((uintptr_t)x, n);
  return p[0] * p[1];
}
// CHECK-DAG: error: a pointer made from an integer leads to differentiated data; {{.*}} [IZ204]

void derive(const double *x, double *d) {
  __enzyme_autodiff((void *)stored, x, d);
  __enzyme_autodiff((void *)read, x, d);
  __enzyme_autodiff((void *)passed, x, d, 1L);
}
