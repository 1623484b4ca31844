// An address that a function is given, or gives back, as an integer: neither its shadow nor a
// derivative of zero is right in its place.
// RUN: not %clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -fno-strict-aliasing -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,PIECES
#include <isozyme/isozyme.h>
#include <stdint.h>
#include <string.h>
#define APART __attribute__((noinline)) static

double __enzyme_autodiff(void *, ...);

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

// What is moved by a counter, and then taken as the distance from another address, is not only counted with.
APART double walk(const char *base, uintptr_t from, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += *(const double *)(base + (from + 8 * i - (uintptr_t)base));
  return sum;
}
APART double walked(const double *x, long n) { return walk((const char *)x, (uintptr_t)(x + 1), n) * x[0]; }
// CHECK-DAG: error: argument 2 of 'walk' carries the address of differentiated memory in an integer; pass it as a pointer, or a pointer to what holds it [IZ204]

void derive(const double *x, double *d) {
  __enzyme_autodiff((void *)walked, x, d, 2L);
  __enzyme_autodiff((void *)read, x, d);
  __enzyme_autodiff((void *)passed, x, d, 1L);
}

// Nor may an address come in pieces.
APART void bytes(char *to, const char *from, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = from[i];
}
APART double byBytes(const double *x) {
  const double *p;
  bytes((char *)&p, (const char *)&x, 8);
  return p[0] * p[1];
}
// PIECES-DAG: error: an address that leads to numbers is read where it was stored in pieces; copy addresses as a whole, {{.*}} [IZ204]

APART void halves(int *to, const int *from) {
  int low = from[0], high = from[1];
  to[0] = low, to[1] = high;
}
APART double byHalves(const double *x) {
  const double *p;
  halves((int *)&p, (const int *)&x);
  return p[0] * p[1];
}
// PIECES-DAG: error: an address that leads to numbers is read where it was stored in pieces; {{.*}} [IZ204]

APART void takeApart(const double *p, uint32_t *low, uint32_t *high) {
  *low = (uintptr_t)p;
  *high = (uintptr_t)p >> 32;
}
APART double together(const double *x) {
  uint32_t low, high;
  takeApart(x, &low, &high);
  const double *p = (const double *)((uintptr_t)high << 32 | low);
  return p[0] * p[1];
}
// PIECES-DAG: error: a pointer made from an integer leads to differentiated data; {{.*}} [IZ204]

void derivePieces(const double *x, double *d) {
  __enzyme_autodiff((void *)byBytes, x, d);
  __enzyme_autodiff((void *)byHalves, x, d);
  __enzyme_autodiff((void *)together, x, d);
}
