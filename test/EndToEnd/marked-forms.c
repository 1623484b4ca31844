// Every way to say something of a function or variable, as numbers tell: at -O0 and -O2.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 %s
#include "check.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_v(void *, ...);
#define NI __attribute__((noinline))
/* inactive: registration (bare, list), annotation */
NI double i1(double x) { return x * x; }
NI double i2(double x) { return x * x; }
__attribute__((annotate("enzyme_inactive"))) NI double i3(double x) { return x * x; }
static inline double i4(double x) { return x * x; }
void *__enzyme_inactivefn_1 = (void*)i1;
static void *const __enzyme_inactivefn_2[] __attribute__((used)) = {(void*)i2, (void*)i4};
double inactive(double x) { return x + i1(x) + i2(x) + i3(x) + i4(x); }
/* function like */
NI double l1(double x) { return 0; }
__attribute__((annotate("enzyme_function_like=cos"))) NI double l2(double x) { return 0; }
void *__enzyme_function_like_l1[] = {(void*)l1, "sin"};
double like(double x) { return l1(x) + l2(x); }
/* global inactive */
double g1 = 2;
double *__enzyme_inactive_global_1 = &g1;
__attribute__((annotate("enzyme_inactive"))) double g2;
NI void keep(double x) { g1 = g2 = x; }
NI double take(void) { return g1 + g2; }
double through(double x) { keep(x); return take() * x; }
/* allocation like */
static int allocated, released;
NI void *get(int kind, unsigned long n) { allocated++; return malloc(n * kind); }
NI void put(void *p, int kind) { released++; free(p); }
void *__enzyme_allocation_like_1[] = {(void*)get, (void*)1, "-1,0", (void*)put};
double memory(double x) { double *p = get(1, 16); p[0] = x; p[1] = x * x; double r = p[0] * p[1]; put(p, 1); return r; }
/* nofree, shouldrecompute, sparse accumulate: no change of numbers */
NI double n1(double *p) { return *p * *p; }
void *__enzyme_nofree_1 = (void*)n1;
NI double n2(double x) { return x * 3; }
void *__enzyme_shouldrecompute_1 = (void*)n2;
__attribute__((annotate("enzyme_shouldrecompute"))) NI double n3(double x) { return x * 3; }
__attribute__((annotate("enzyme_nofree"))) NI double n4(double x) { return x * 3; }
double neutral(double x) { double r = x; for (int i = 0; i < 3; i++) r *= n2(r) + n3(r) + n4(x) + n1(&x); return r; }
int main(void) {
  double x = 1.25;
  CHECK("inactive", __enzyme_autodiff((void*)inactive, x), 1);
  CHECK("inactive f", __enzyme_fwddiff((void*)inactive, x, 1.0), 1);
  CHECK("like", __enzyme_autodiff((void*)like, x), cos(x) - sin(x));
  CHECK("like f", __enzyme_fwddiff((void*)like, x, 1.0), cos(x) - sin(x));
  CHECK("global", __enzyme_autodiff((void*)through, x), 2 * x);
  CHECK("global f", __enzyme_fwddiff((void*)through, x, 1.0), 2 * x);
  allocated = released = 0;
  CHECK("memory", __enzyme_autodiff((void*)memory, x), 3 * x * x);
  CHECK("released", released, allocated);
  CHECK("memory f", __enzyme_fwddiff((void*)memory, x, 1.0), 3 * x * x);
  CHECK("released", released, allocated);
  CHECK("neutral", __enzyme_autodiff((void*)neutral, x), SLOPE(x, neutral(x)));
  CHECK("neutral f", __enzyme_fwddiff((void*)neutral, x, 1.0), SLOPE(x, neutral(x)));
  return finish();
}
