// Shadows that are no memory for the derivatives: of another type, released, exchanged with their arguments.
// RUN: %clang -c -g -O0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: %clang -c -g -O2 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
#include <isozyme/isozyme.h>
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double norm(const double *p, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i] * p[i];
  return sum;
}
struct mixed { float a; double b; };
double member(struct mixed *s) { return s->a * s->b; }
double first(const double *p) { return p[0] * p[0]; }

void types(double *x) {
  long whole[3] = {0};
  // CHECK: shadow-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('p') of 'norm' holds integers, and the argument itself numbers of 8 bytes; pass memory of the same layout {{.*}} [IZ309]
  __enzyme_autodiff((void *)norm, enzyme_dup, x, whole, 3);
  float small[6] = {0};
  // CHECK: shadow-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('p') of 'norm' holds numbers of 4 bytes, and the argument itself of 8; {{.*}} [IZ309]
  __enzyme_autodiff((void *)norm, enzyme_dup, x, small, 3);
  float *heap = calloc(3, sizeof *heap);
  // CHECK: shadow-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('p') of 'norm' holds numbers of 4 bytes, and the argument itself of 8; {{.*}} [IZ309]
  __enzyme_autodiff((void *)norm, enzyme_dup, x, heap, 3);
  x[0] = whole[0] + small[0] + heap[0];
  free(heap);
}

double released(double *x, int n) {
  double *d = calloc(n, sizeof *d);
  free(d);
  // CHECK: shadow-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('p') of 'norm' is released before the call, in line [[@LINE-1]]; {{.*}} [IZ309]
  __enzyme_autodiff((void *)norm, enzyme_dup, x, d, n);
  return x[0];
}

double exchanged(void) {
  double x[3] = {1, 2, 3}, dx[3] = {1, 0, 0}, y[1] = {2}, d_y[1] = {0};
  // CHECK: shadow-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('p') of 'first' is 'y', and the argument itself 'd_y': have they changed places? {{.*}} [IZ309]
  __enzyme_autodiff((void *)first, enzyme_dup, d_y, y);
  // CHECK: shadow-memory.c:[[@LINE+1]]:10: warning: the shadow of argument 1 ('p') of 'norm' is 'x', and the argument itself 'dx': have they changed places? {{.*}} [IZ309]
  return __enzyme_fwddiff((void *)norm, enzyme_dup, dx, x, 3) + d_y[0];
}

// None of these.
double right(double *x, int n, int often) {
  char bytes[3 * sizeof(double)] __attribute__((aligned(8))) = {0};
  __enzyme_autodiff((void *)norm, enzyme_dup, x, bytes, 3);
  double sum = *(double *)bytes;
  struct mixed s = {1, 2}, ds = {0};
  __enzyme_autodiff((void *)member, enzyme_dup, &s, &ds);
  double single = 2, dsingle = 0;
  __enzyme_autodiff((void *)first, enzyme_dup, &single, &dsingle);
  for (int i = 0; i < often; i++) {
    double *d = calloc(n, sizeof *d);
    __enzyme_autodiff((void *)norm, enzyme_dup, x, d, n);
    sum += d[0];
    free(d);
  }
  return sum + ds.a + ds.b + dsingle;
}
