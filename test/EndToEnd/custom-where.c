// Registered derivatives in inlined functions, nested derivatives, recursion, behind function
// pointers, with constant arguments and with activity that is known at run time only.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 %s
#include "check.h"

extern int enzyme_runtime_activity;

typedef struct { double value, tangent; } Both;
typedef struct { double a, b; } Pair;
double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff2(void *, ...);
Pair __enzyme_autodiff_pair(void *, ...);
void __enzyme_autodiff_v(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_virtualreverse(void *);
/* always inline, static inline */
static inline __attribute__((always_inline)) double sq(double x) { return x * x; }
static double sq_aug(double x) { return x * x; }
static double sq_rev(double x, double s) { return 3 * x * s; }
static Both sq_fwd(double x, double dx) { return (Both){x * x, 3 * x * dx}; }
void *__enzyme_register_gradient_sq[] = {(void*)sq,(void*)sq_aug,(void*)sq_rev};
void *__enzyme_register_derivative_sq[] = {(void*)sq,(void*)sq_fwd};
double use(double x) { return sq(x) * x; }
/* nested */
double dused(double x) { return __enzyme_autodiff((void*)use, x); }
double dusef(double x) { return __enzyme_fwddiff((void*)use, x, 1.0); }
/* recursion */
__attribute__((noinline)) double rec(double x, int n) { return n ? sq(rec(x, n-1)) + x : x; }
/* function pointer */
typedef double (*Fn)(double);
static double viaptr(Fn f, double x) { return f(x) + x; }
double useptr(double x, int w) { Fn t[2] = {sq, use}; return t[w](x); }
/* the rule function itself calls the function */
__attribute__((noinline)) double self(double x) { return x * x * x; }
static Both self_fwd(double x, double dx) { return (Both){self(x), 7 * dx}; }
void *__enzyme_register_derivative_self[] = {(void*)self,(void*)self_fwd};
double useself(double x) { return self(x) + 1; }
double dself(double x) { return __enzyme_fwddiff((void*)useself, x, 1.0); }
/* runtime activity + memory */
__attribute__((noinline)) double sum(const double *p, int n) { double s=0; for (int i=0;i<n;i++) s+=p[i]; return s; }
static double sum_aug(const double *p, double *d, int n) { return sum(p, n); }
static void sum_rev(const double *p, double *d, int n, double s) { if ((void*)p != (void*)d) for (int i=0;i<n;i++) d[i] += 5*s; }
void *__enzyme_register_gradient_sum[] = {(void*)sum,(void*)sum_aug,(void*)sum_rev};
double usesum(double *p, double *q, int n, int w) { return sum(w ? p : q, n) * 2; }
int main(void) {
  double x = 1.3;
  CHECK("rev", __enzyme_autodiff((void*)use, x), 3*x*x + x*x);
  CHECK("fwd", __enzyme_fwddiff((void*)use, x, 1.0), 3*x*x + x*x);
  CHECK("direct", __enzyme_autodiff((void*)sq, x), 3*x);
  /* second order: use' = (sq_rev(x, x) + sq_aug(x)) = 3x*x + x*x: derivative of the rules' bodies, where sq is a rule in none of them */
  CHECK("fwd over rev", __enzyme_fwddiff((void*)dused, x, 1.0), 8*x);
  CHECK("rev over rev", __enzyme_autodiff2((void*)dused, x), 8*x);
  CHECK("fwd over fwd", __enzyme_fwddiff((void*)dusef, x, 1.0), 8*x);
  CHECK("rev over fwd", __enzyme_autodiff((void*)dusef, x), 8*x);
  double r1 = x*x + x, d1 = 3*x + 1, d2 = 3*r1*d1 + 1;
  CHECK("recursion", __enzyme_autodiff((void*)rec, x, 2), d2);
  CHECK("recursion fwd", __enzyme_fwddiff((void*)rec, x, 1.0, 2), d2);
  CHECK("pointer", __enzyme_autodiff((void*)useptr, x, 0), 3*x);
  CHECK("pointer", __enzyme_autodiff((void*)useptr, x, 1), 4*x*x);
  CHECK("pointer f", __enzyme_fwddiff((void*)useptr, x, 1.0, 0), 3*x);
  CHECK("self", __enzyme_fwddiff((void*)useself, x, 1.0), 7);
  CHECK("self2", __enzyme_fwddiff((void*)dself, x, 1.0), 0);
  double p[2] = {1,2}, d[2] = {0}, q[2] = {3,4};
  __enzyme_autodiff_v((void*)usesum, enzyme_dup, p, d, enzyme_const, q, 2, 1);
  CHECK("const other", d[0], 10);
  d[0] = d[1] = 0;
  __enzyme_autodiff_v((void*)usesum, enzyme_runtime_activity, enzyme_dup, p, d, enzyme_dup, q, q, 2, 0);
  CHECK("rta 0", d[0], 0); CHECK("q", q[0], 3);
  __enzyme_autodiff_v((void*)usesum, enzyme_runtime_activity, enzyme_dup, p, d, enzyme_dup, q, q, 2, 1);
  CHECK("rta 1", d[0], 10);
  return finish();
}
