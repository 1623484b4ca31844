// Calls with a derivative of their own, memory that gets a shadow, an atomic operation, a
// value of which nothing differentiated depends, and two halves.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
long visits;
__attribute__((noinline)) double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return sqrt(s);
}
double trace(double x, double scale, int n) {
  double *t = malloc(n * sizeof *t);
  for (int i = 0; i < n; i++)
    t[i] = x = cos(x);
  __atomic_fetch_add(&visits, 1, __ATOMIC_RELAXED);
  double shown = 2 * scale;
  printf("%g\n", shown);
  double r = norm(t, n);
  free(t);
  return r;
}
double slope(double x, double scale, int n) {
  return __enzyme_autodiff((void *)trace, x, scale, n);
}
// CHECK: reverse of 'trace'
// CHECK: malloc: the shadow of its memory is allocated and set to zero beside it
// CHECK: t[i] = x = cos(x);
// CHECK: reverse: x.adj += t.shadow[i]
// CHECK: reverse: t.shadow[i] = 0
// CHECK: __atomic_fetch_add
// CHECK-NEXT: note: atomic 'add': moves no derivative
// CHECK: {{^}}   20 . |   double shown
// CHECK: call: printf: runs once, as it stands: moves no derivative
// CHECK: reverse: reverse.norm(t, t.shadow, n; r.adj)
// CHECK: call: norm: by a pair of derivatives of its own: one for each sweep
// CHECK: call: free: releases memory that has a shadow; both are released after the reverse sweep
// CHECK: split reverse of 'norm'
// CHECK: Needed for the derivative of 'trace'
// CHECK: read again: x[i]
// CHECK: kept: sqrt(s), 8 bytes
