// Full link-time optimisation: bytes of a record that only one of the files names are no filling in the others, and
// may hold a number. Nothing is known of them where one of the files was compiled without Isozyme.
// REQUIRES: lld
// RUN: split-file %s %t
// RUN: %clangxx -O0 -flto=full -c %t/call.cpp -o %t/call.o
// RUN: %clangxx -O0 -flto=full -c %t/access.cpp -o %t/access.o
// RUN: %preload%clangxx_bin -O0 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/call.o %t/access.o -o %t/program
// RUN: %t/program | FileCheck %s
// RUN: %clangxx_bin -O0 -flto=full -c %t/access.cpp -o %t/plain.o
// RUN: %preload%clangxx_bin -O0 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/call.o %t/plain.o -o %t/program
// RUN: %t/program | FileCheck %s
// CHECK: 57 24

//--- record.h
struct Tagged {
  int tag;
  char payload[4]; // A float.
  double d;
  int last;
  Tagged() : last(1) {}
};
void put(Tagged *r, float x);
float get(const Tagged *r);

//--- access.cpp
#include "record.h"
#include <cstring>
__attribute__((noinline)) void put(Tagged *r, float x) { memcpy(r->payload, &x, sizeof x); }
__attribute__((noinline)) float get(const Tagged *r) {
  float x;
  memcpy(&x, r->payload, sizeof x);
  return x;
}

//--- call.cpp
#include "record.h"
#include <cstdio>
#include <cstring>
void __enzyme_autodiff(void *, ...);
__attribute__((noinline)) static void copy(Tagged *to, const Tagged *from, int n) {
  memcpy(to, from, n * sizeof(Tagged));
}
__attribute__((noinline)) static double product(const double *in, int n) {
  Tagged a[6], b[6];
  for (int i = 0; i < n; i++) {
    put(&a[i], in[i] * in[0]);
    a[i].d = in[i];
  }
  copy(b, a, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += get(&b[i]) * b[i].d;
  return sum;
}
int main(int argc, char **) {
  double x[2] = {4, 3}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)product, x, dx, argc + 1);
  printf("%g %g\n", dx[0], dx[1]);
}
