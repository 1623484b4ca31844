// Notes lead from the culprit, by every call on the way, to the call that asks for the derivative:
// the same way where functions are called, and where they have been inlined.
// RUN: not %clang -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clang -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=INLINED
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

double lookup(double);
__attribute__((noinline)) static double third(double x) {
  return lookup(x) + 1;
}
__attribute__((noinline)) static double second(double x) {
  return third(x) * x;
}
double first(double x) {
  return second(x) * 2;
}
double d_first(double x) {
  return __enzyme_autodiff((void *)first, x);
}
// CHECK: chain.c:11:10: error: no derivative is known for 'lookup', which has no body here; {{.*}} [IZ201]
// CHECK: chain.c:11:10: note: argument 1 (x) of this call is argument 1 (x) of 'third', which is differentiated
// CHECK: chain.c:14:10: note: called here, in 'second', where argument 1 is argument 1 (x) of 'second'
// CHECK: chain.c:17:10: note: called here, in 'first', where argument 1 is argument 1 (x) of 'first'
// CHECK: chain.c:20:10: note: needed for the derivative that is asked for here

// INLINED: chain.c:11:10: error: no derivative is known for 'lookup', which has no body here; {{.*}} [IZ201]
// INLINED: chain.c:11:10: note: argument 1 (x) of this call is argument 1 (x) of 'first'
// INLINED: chain.c:14:10: note: called here, in 'second'
// INLINED: chain.c:17:10: note: called here, in 'first'
// INLINED: chain.c:20:10: note: needed for the derivative that is asked for here

__attribute__((noinline)) static double root(double x) {
  double r;
  __asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x));
  return r;
}
double rooted(double x) { return root(x) * x; }
double d_rooted(double x) { return __enzyme_autodiff((void *)rooted, x); }
// CHECK: error: inline assembly takes part in the derivative; write it in the language, or put it into a function of its own that is not inlined and register that function's derivative (__enzyme_register_gradient_...) [IZ201]
// CHECK: chain.c:39:34: note: called here, in 'rooted'

__attribute__((noinline)) static void move(void *to, const void *from, long n) { memcpy(to, from, n); }
void copied(void *to, const void *from, long n) { move(to, from, n); }
void d_copied(void *x, void *dx, void *y, void *dy, long n) {
  __enzyme_autodiff((void *)copied, enzyme_dup, x, dx, enzyme_dup, y, dy, n);
}
// What is asked for has been done: compiled with -g.
// CHECK: error: cannot deduce what the memory of 'to' (declared as 'void *') that is copied here holds: {{.*}}; say so by a call of __enzyme_double(pointer, bytes), or access it as its real type [IZ203]
// CHECK: note: called here, in 'copied'
