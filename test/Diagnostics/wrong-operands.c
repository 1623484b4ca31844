// Operands of another type: a literal without a point, a derivative that was forgotten, another order.
// RUN: not %clang -c -g -O0 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %clang -c -g -O2 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
#include <isozyme/isozyme.h>

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_reverse(void *, ...);

double sq(double x) { return x * x; }
float narrow(float x) { return x * x; }
double times(double x, int n) { return x * x * n; }
double norm(const double *p, int n) { return p[0] * p[0] + n; }
double dot(const double *p, const double *q, int n) { return p[0] * q[0] * n; }
double by(double k, const double *p) { return k * p[0]; }

double product(double x, double y) { return x * y; }

double literals(double x, int n, void *tape) {
  double sum = 0;
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 3 of the call is a 32-bit integer, but the derivative of argument 1 ('x') of 'product' must be 'double'; pass 1.0 instead of 1 [IZ109]
  sum += __enzyme_fwddiff(product, x, 1, x, 0);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 3 of the call is a 32-bit integer, but the derivative of argument 1 ('x') of 'sq' must be 'double'; pass 1.0 instead of 1 [IZ109]
  sum += __enzyme_fwddiff(sq, x, 1);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 3 of the call is a 32-bit integer, but the derivative of argument 1 ('x') of 'times' must be 'double'; pass 1.0 instead of 1 [IZ109]
  sum += __enzyme_fwddiff(times, x, 1, 3);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 3 of the call is a 32-bit integer, but the derivative of argument 1 ('x') of 'narrow' must be 'float'; pass -1.0 instead of -1 [IZ109]
  sum += __enzyme_fwddiff(narrow, x, -1);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 2 of the call is a 32-bit integer, but argument 1 ('x') of 'sq' must be 'double'; pass 2.0 instead of 2 [IZ109]
  sum += __enzyme_autodiff(sq, 2);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 2 of the call is a 32-bit integer, but argument 1 ('x') of 'sq' must be 'double'; convert it in the call, as in '(double)n' [IZ109]
  sum += __enzyme_autodiff(sq, n);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 3 of the call is a 32-bit integer, but the derivative of the result of 'sq' is 'double'; pass 1.0 instead of 1 [IZ118]
  sum += __enzyme_reverse(sq, x, 1, tape);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 3 of the call is 'double', but argument 2 ('n') of 'times' must be a 32-bit integer; pass 3 instead of 3.0 [IZ109]
  sum += __enzyme_autodiff(times, x, 3.0);
  // CHECK: wrong-operands.c:[[@LINE+1]]:10: error: argument 3 of the call is 'double', but argument 2 ('n') of 'times' must be a 32-bit integer; convert it in the call [IZ109]
  sum += __enzyme_autodiff(times, x, x);
  return sum;
}

double forgotten(double x, double *p, double *dp, double *q) {
  // CHECK: wrong-operands.c:[[@LINE+1]]:16: error: argument 3 of the call is a 32-bit integer, but the derivative of argument 1 ('x') of 'times' must be 'double'; pass the derivative before it, as in '1.0', or mark argument 1 ('x') of 'times' with 'enzyme_const' if it has none [IZ109]
  double sum = __enzyme_fwddiff(times, x, 3);
  // CHECK: wrong-operands.c:[[@LINE+1]]:3: error: argument 5 of the call is a 32-bit integer, but the shadow of argument 2 ('q') of 'dot' must be a pointer; pass a shadow before it, or mark argument 2 ('q') of 'dot' with 'enzyme_const' if it has none [IZ109]
  __enzyme_autodiff_void(dot, p, dp, q, 3);
  return sum;
}

double order(double x, double *p, double *dp) {
  // CHECK: wrong-operands.c:[[@LINE+1]]:16: error: argument 2 of the call is a pointer, but argument 1 ('k') of 'by' must be 'double'; pass the arguments in the order of the function: it fits argument 2 ('p') of 'by' [IZ109]
  double sum = __enzyme_autodiff(by, p, dp, x);
  // CHECK: wrong-operands.c:[[@LINE+1]]:3: error: argument 2 of the call is a 32-bit integer, but argument 1 ('p') of 'norm' must be a pointer; pass the arguments in the order of the function: it fits argument 2 ('n') of 'norm' [IZ109]
  __enzyme_autodiff_void(norm, 3, p, dp);
  return sum;
}
