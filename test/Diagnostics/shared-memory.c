// Memory with two roles in one call: one shadow for two arguments, a shadow of smaller numbers,
// a variable that is passed and used by its name, a tape that is read twice.
// RUN: %clang -c -g -O0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: %clang -c -g -O2 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
#include <isozyme/isozyme.h>
#include <math.h>
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
void __isozyme_dependence(void *, ...);

double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}
double one(const double *a) { return a[0] * a[1]; }
double wave(double x) { return exp(sin(x)); }
double weights[4] = {1, 2, 3, 4};
__attribute__((annotate("enzyme_inactive"))) double fixed[4] = {1, 2, 3, 4};
double weigh(double by, const double *x, int i) { return by * weights[i] * x[i]; }
double weighted(const double *x) { return weigh(1, x, 1) + weigh(2, x, 2); }
double fixedly(const double *x) { return x[1] * fixed[1]; }

void shadows(const double *a, const double *b, double *d) {
  double x[4] = {1, 2, 3, 4}, y[4] = {1, 2, 3, 4}, dx[4] = {0}, dy[4] = {0};
  // CHECK: shared-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 2 ('b') of 'dot' is that of argument 1, too: both gradients would be added up there; {{.*}} [IZ309]
  __enzyme_autodiff((void *)dot, enzyme_dup, a, d, enzyme_dup, b, d, enzyme_const, 4);
  // CHECK: shared-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 2 ('b') of 'dot' is that of argument 1, too: {{.*}} [IZ309]
  __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dx, enzyme_const, 4);
  float small[8] = {0};
  // CHECK: shared-memory.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('a') of 'one' holds numbers of 4 bytes, and the argument itself of 8; {{.*}} [IZ309]
  __enzyme_autodiff((void *)one, enzyme_dup, x, small);
  // As is meant: the square of an array, two arrays, and zeros for two arguments.
  __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, x, dx, enzyme_const, 4);
  __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 4);
  d[0] = dx[0] + dy[0] + small[0] + __enzyme_fwddiff((void *)dot, a, d, b, d, 4);
}

void byName(double *d) {
  // CHECK: shared-memory.c:[[@LINE+1]]:3: warning: argument 1 ('x') of 'weighted' is the variable 'weights', which 'weighted' uses by its name, too: {{.*}} [IZ309]
  __enzyme_autodiff((void *)weighted, weights, d);
  __enzyme_autodiff((void *)weighted, fixed, d);
  __enzyme_autodiff((void *)fixedly, fixed, d);
}

double tapes(double x, const double *seeds, int n) {
  void *tape = __enzyme_augmentfwd((void *)wave, x);
  double d = __enzyme_reverse((void *)wave, x, 1.0, tape);
  // CHECK: shared-memory.c:[[@LINE+1]]:8: warning: the tape that this call reads is gone: another call has read it, in line [[@LINE-1]]; {{.*}} [IZ303]
  d += __enzyme_reverse((void *)wave, x, 2.0, tape);
  void *again = __enzyme_augmentfwd((void *)wave, x);
  for (int i = 0; i < n; i++)
    // CHECK: shared-memory.c:[[@LINE+1]]:10: warning: this call reads one tape several times, and releases it the first time; {{.*}} [IZ303]
    d += __enzyme_reverse((void *)wave, x, seeds[i], again);
  void *kept = __enzyme_augmentfwd((void *)wave, x);
  for (int i = 0; i < n; i++)
    d += __enzyme_reverse((void *)wave, enzyme_nofree, x, seeds[i], kept);
  d += __enzyme_reverse((void *)wave, x, 0.5, kept);
  void *last = __enzyme_augmentfwd((void *)wave, x);
  for (int i = 0; i < n; i++)
    d += i < n - 1 ? __enzyme_reverse((void *)wave, enzyme_nofree, x, seeds[i], last)
                   : __enzyme_reverse((void *)wave, x, seeds[i], last);
  for (int i = 0; i < n; i++) {
    void *each = __enzyme_augmentfwd((void *)wave, x);
    d += i ? __enzyme_reverse((void *)wave, x, 1.0, each) : __enzyme_reverse((void *)wave, x, 2.0, each);
  }
  return d;
}
