// A callback that this file knows no function for: null, it is not called, and the gradient is that of
// the rest. If another file gives one, the derivative says so and ends the program; the function itself
// goes on working. A call that no run gets round is an error when compiling, unless a linker follows.
// REQUIRES: lld
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O0 main.c other.c -o program && ./program && not --crash ./program given 2>&1 | FileCheck %s
// RUN: %clang -O2 main.c other.c -o program && ./program && not --crash ./program given 2>&1 | FileCheck %s
// RUN: %preload%isozyme cc -O0 -flto main.c other.c -o program && ./program && ./program given
// RUN: %preload%isozyme cc -O2 -flto main.c other.c -o program && ./program && ./program given
// RUN: not %clang -O2 -DCERTAIN -c main.c -o main.o 2>&1 | FileCheck %s --check-prefix=CERTAIN
// RUN: %preload%isozyme cc -O2 -flto -DCERTAIN main.c other.c -o program && ./program given
// CHECK: isozyme: {{(main.c:[0-9]+: )?}}in 'solve', the pointer called leads to none of the functions of type 'double (ptr, double)' {{.*}} [IZ205]
// CERTAIN: error: a call through a function pointer takes part in the derivative, and this file takes the address of no function of its type{{.*}} [IZ205]

//--- main.c
#include <isozyme/isozyme.h>
#include <stdio.h>
typedef double correction(void *context, double x);
correction *fromElsewhere(void);
double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) double solve(correction *more, double *context, double x) {
  double value = x * x * context[0];
#ifdef CERTAIN
  return value + more(context, value);
#else
  return more ? value + more(context, value) : value;
#endif
}
int main(int argc, char **argv) {
  correction *more = argc > 1 ? fromElsewhere() : 0;
  double c[1] = {3}, dc[1] = {0};
  double value = solve(more, c, 2);
  double d = __enzyme_autodiff((void *)solve, enzyme_const, more, c, dc, 2.0);
  printf("%g: %g %g\n", value, d, dc[0]);
  return argc > 1 ? !(value == 48 && d == 48 && dc[0] == 28) : !(value == 12 && d == 12 && dc[0] == 4);
}

//--- other.c
typedef double correction(void *context, double x);
static double scaled(void *context, double x) { return x * *(double *)context; }
correction *fromElsewhere(void) { return scaled; }
