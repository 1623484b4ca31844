// Calls that have no derivative say which operand matters, why, and what to do.
// RUN: not %clang -O1 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O0 -g -c %s -o %t.o 2>&1 | FileCheck %s
#include <setjmp.h>
#include <stdarg.h>
double __enzyme_autodiff(void *, ...);

double sensor(int channel, double x, double *state);
double measure(double gain) {
  double state[2] = {0, 1};
  double level = gain * 2;
  // CHECK-DAG: calls.c:[[@LINE+2]]:{{[0-9]+}}: error: no derivative is known for 'sensor', which has no body here; define it in this file, compile and link all files with 'isozyme cc -flto' (docs/libraries.md), register its derivative (__enzyme_register_gradient_sensor), or, if nothing that it computes has a part in the result, mark it inactive (__enzyme_inactivefn_sensor) [IZ201]
  // CHECK-DAG: calls.c:[[@LINE+1]]:{{[0-9]+}}: note: argument 2 (level) of this call depends on argument 1 (gain) of 'measure', which is differentiated
  return sensor(3, level, state);
}
double d1(double x) { return __enzyme_autodiff((void *)measure, x); }

// A long double takes two words of the list.
__attribute__((noinline)) double sum(int n, ...) {
  double total = 0;
  va_list list;
  va_start(list, n);
  while (n--)
    total += va_arg(list, long double);
  va_end(list);
  return total;
}
// CHECK-DAG: calls.c:[[@LINE+1]]:{{[0-9]+}}: error: 'sum' takes a variable number of arguments; {{.*}} [IZ201]
double three(double x) { return sum(3, (long double)x, x * x, 1.0L); }
double d2(double x) { return __enzyme_autodiff((void *)three, x); }

jmp_buf place;
double solve(double x);
double guarded(double x) {
  // CHECK-DAG: calls.c:[[@LINE+1]]:{{[0-9]+}}: error: a call that may return twice (setjmp) cannot be differentiated through; {{.*}} [IZ209]
  if (setjmp(place))
    return 0;
  return x * x;
}
double d3(double x) { return __enzyme_autodiff((void *)guarded, x); }
// CHECK: 3 errors generated.
