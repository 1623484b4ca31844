// A call that chooses its function at run time has one error, whichever functions it chooses from.
// RUN: not %clang -c -g -O0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clang -c -g -O2 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
#include <isozyme/isozyme.h>

double unknown(double), other(double);
double square(double x) { return x * x; }
double first(double x) { return x * unknown(x); }
double second(double x) { return x + other(x); }
double mul(double x, double y) { return x * y; }
double div(double x, double y) { return x / y; }
double __enzyme_autodiff(void *, ...);

double calls(double x, int n) {
  double sum = 0;
  // CHECK: chosen.c:[[@LINE+1]]:{{[0-9]+}}: error: {{'(mul|div)'}} takes 2 arguments, but the call has values for 1; {{.*}} [IZ104]
  sum += __enzyme_autodiff(n ? (void *)mul : (void *)div, x);
  // CHECK: chosen.c:{{8|9}}:{{[0-9]+}}: error: no derivative is known for {{'(unknown|other)'}}
  // CHECK: chosen.c:[[@LINE+1]]:{{[0-9]+}}: note: needed for the derivative that is asked for here
  sum += __enzyme_autodiff(n ? (void *)first : (void *)second, x);
  // CHECK: chosen.c:9:{{[0-9]+}}: error: no derivative is known for 'other'
  // CHECK: chosen.c:[[@LINE+1]]:{{[0-9]+}}: note: needed for the derivative that is asked for here
  sum += __enzyme_autodiff(n ? (void *)square : (void *)second, x);
  return sum;
}

// A table that is not constant may hold other functions by the time of the call.
double (*table[])(double) = {square, first};
double byTable(double x, int n) {
  // CHECK: chosen.c:[[@LINE+1]]:{{[0-9]+}}: error: the function to differentiate is what 'table' holds, which may change; make the variable constant, {{.*}} [IZ101]
  return __enzyme_autodiff((void *)table[n], x);
}
