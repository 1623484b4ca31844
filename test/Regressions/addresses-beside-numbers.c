// Reverse over forward: a helper of the forward derivative copies records of an address and a
// number, of which it sees neither. That some of it holds addresses does not make addresses of
// the numbers: the derivative read through one.
// RUN: not %clang -w -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: cannot deduce what the memory that is copied here holds
// CHECK: 1 error generated
#include <math.h>
#include <string.h>
#define APART __attribute__((noinline))
struct Part {
  double *p;
  long n;
};
typedef void (*Visitor)(double *, void *);
static APART void moveRecord(void *to, const void *from) { memcpy(to, from, sizeof(struct Part)); }
static double *kept;
static APART void each(double *p, int n, Visitor visit, void *context) {
  for (int i = 0; i < n; i++)
    visit(&p[i], context);
}
static void damp(double *p, void *context) {
  double *k = (double *)context;
  *p = 0.6 * *p + 0.3 * *k;
  *k *= 0.9;
}
static void add(double *p, void *context) {
  double *k = (double *)context;
  *k = 0.5 * *k + 0.3 * sin(*p);
}
double f(double *x, int n, double a) {
  double values[3] = {a, 1.0, cos(a)}, k = 0.1;
  struct Part one = {values, n % 2}, other;
  moveRecord(&other, &one);
  kept = values;
  each(x, 2, n == 2 ? damp : add, &k);
  return 0.5 * other.p[other.n] + 0.3 * k + 0.4 * *kept;
}
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;
double directional(double *x, double *tx, int n, double a, double ta) {
  return __enzyme_fwddiff((void *)f, x, tx, n, a, ta);
}
void second(double *x, double *dx, double *tx, double *dtx) {
  __enzyme_autodiff((void *)directional, x, dx, tx, dtx, 5, enzyme_const, 0.3, enzyme_const, 0.1);
}
