// Derivatives of functions that are in other files and in a static library, by 'isozyme cc -flto':
// in one command and in steps, with markers of the header and of the user's own, at every level.
// REQUIRES: lld
// RUN: rm -rf %t && split-file %s %t && mkdir %t/objects
// RUN: %preload%isozyme cc -O0 -flto %t/call.c %t/own.c %t/cost.c -lm -o %t/program && %t/program | FileCheck %s
// RUN: %preload%isozyme cc -O1 -flto %t/call.c %t/own.c %t/cost.c -lm -o %t/program && %t/program | FileCheck %s
// RUN: cd %t/objects
// RUN: %preload%isozyme cc -O2 -flto -c %t/call.c %t/own.c %t/cost.c
// RUN: ar rcs libcost.a cost.o own.o
// RUN: %preload%isozyme cc -O2 -flto call.o -L. -lcost -lm -o program && ./program | FileCheck %s
// RUN: %preload%isozyme cc -O3 -flto call.o own.o cost.o -lm -o program && ./program | FileCheck %s
//
// With the flags that are printed, and options of Isozyme for the linker, too.
// RUN: %isozyme --flags -flto > flags
// RUN: %preload%clang_bin -O2 @flags %t/call.c %t/own.c %t/cost.c -lm -o program
// RUN: ./program | FileCheck %s
// RUN: %preload%isozyme cc -O2 -flto call.o own.o cost.o -lm -o program -mllvm -isozyme-check
// RUN: ./program 2>&1 | FileCheck %s --check-prefix=CHECKED
//
// isozyme check does the same for a program of several files.
// RUN: %preload%isozyme check %t/call.c %t/own.c %t/cost.c 2>&1 | FileCheck %s --check-prefix=CHECKED
//
// What the linker says is of the line in the source, without -g.
// RUN: not %preload%isozyme cc -flto -DWRONG %t/call.c %t/own.c %t/cost.c -lm 2>&1 | FileCheck %s --check-prefix=PLACE
//
// CHECK: 5.43656 22.1672
// CHECK-NEXT: 12 6 2
// CHECKED: isozyme check: 4 calls checked, 0 wrong
// PLACE: call.c:14:3: {{.*}}[IZ103]

//--- call.c
#include "isozyme/isozyme.h"
#include <stdio.h>
double cost(const double *x, int n);
double chosen(double (*f)(double), double x);
double through(double x);
extern double square(double);
void __enzyme_autodiff_cost(void *, ...);
double __enzyme_autodiff(void *, ...);
double own(double x);
static double apply(double x) { return chosen(square, x); }
int main(void) {
  double x[2] = {1, 2}, dx[2] = {0};
#ifdef WRONG
  __enzyme_autodiff_cost((void *)cost, enzyme_dup, x);
#endif
  __enzyme_autodiff_cost((void *)cost, enzyme_dup, x, dx, enzyme_const, 2);
  printf("%g %g\n", dx[0], dx[1]);
  printf("%g %g %g\n", own(2), __enzyme_autodiff((void *)apply, 3.0),
         __enzyme_autodiff((void *)through, 2.0));
}

//--- own.c
int enzyme_out; // A definition, which is a constant once the whole program is known.
double __enzyme_autodiff(void *, ...);
double cube(double x);
double own(double x) { return __enzyme_autodiff((void *)cube, enzyme_out, x); }

//--- cost.c
#include <math.h>
double cost(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += exp(x[i]) * x[i];
  return s;
}
double cube(double x) { return x * x * x; }
double square(double x) { return x * x; }
double chosen(double (*f)(double), double x) { return f(x); }
static double last;
double through(double x) {
  last = x;
  return 2 * last;
}
