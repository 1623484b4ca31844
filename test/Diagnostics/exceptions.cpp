// A handler that continues inside the derivative, and variable arguments, are errors; handlers that clean up are not.
// RUN: not %clangxx -O1 -g -c %s -o %t.o 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
double check(double x);

// CHECK: exceptions.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this call may throw into a handler of the same function; {{.*}} [IZ206]
double guarded(double x) { try { return check(x); } catch (int) { return x * x; } }
double d206(double x) { return __enzyme_autodiff((void *)guarded, x); }
// CHECK: 1 error generated.
