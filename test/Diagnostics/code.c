// Code without a derivative is one error at its line, with a note at the call; other calls go on.
// RUN: not %clang -O1 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O0 -g -c %s -o %t.o 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

double read_sensor(double x);
// CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: error: no derivative is known for 'read_sensor', which has no body here; {{.*}} [IZ201]
double sensor(double x) { return x * read_sensor(x); }
// CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: note: needed for the derivative
double d201(double x) { return __enzyme_autodiff((void *)sensor, x); }

double coarse(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  // CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: error: no derivative is known for 'and'; {{.*}} [IZ202]
  bits &= ~0ull << 46;
  memcpy(&x, &bits, 8);
  return x;
}
double d202(double x) { return __enzyme_autodiff((void *)coarse, x); }

// CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: error: a call through a function pointer takes part in the derivative, and {{.*}} [IZ205]
double apply(double (*f)(double), double x) { return f(x) * x; }
double d205(double (*f)(double), double x) {
  return __enzyme_autodiff((void *)apply, enzyme_const, f, x);
}

// A function is passed, but nothing is known of it.
// CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: error: a call through a function pointer takes part in the derivative, and this file takes the address of no function of its type that has a body here or a known derivative, {{.*}} [IZ205]
double applied(double (*f)(double, int), double x) { return f(x, 2) * x; }
double elsewhere(double x, int n);
double d205a(double x) { return __enzyme_autodiff((void *)applied, enzyme_const, elsewhere, x); }

extern volatile double scale;
// CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: error: global variable 'scale' would hold differentiated data, but it is defined in another file{{.*}} [IZ207]
double scaled(double x) { scale = x * x; return scale * x; }
double d207(double x) { return __enzyme_autodiff((void *)scaled, x); }

double swap(double *m, double x) {
  double v = x * x, old;
  // CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}atomic{{.*}} [IZ208]
  __atomic_exchange(m, &v, &old, __ATOMIC_SEQ_CST);
  return old * x;
}
double d208(double *m, double *dm, double x) {
  return __enzyme_autodiff((void *)swap, m, dm, x);
}

void *take(size_t bytes, int bank, int row, int column);
void give(void *p, int bank, int row, int column);
void *__enzyme_allocation_like_bank[4] = {(void *)take, (void *)0, (void *)"-1,1,2,3", (void *)give};
double banked(double x, int i) {
  double *p = take(16, 1, 2, 3);
  p[0] = x;
  p[1] = x * x;
  double r = p[i] * x;
  // CHECK-DAG: code.c:[[@LINE+1]]:{{[0-9]+}}: error: memory with a shadow is released by a call that cannot be put off; {{.*}} [IZ210]
  give(p, 1, 2, 3);
  return r;
}
double d210(double x, int i) { return __enzyme_autodiff((void *)banked, x, i); }

// CHECK-NOT: square
double square(double x) { return x * x; }
double fine(double x) { return __enzyme_autodiff((void *)square, x); }
// CHECK: 7 errors generated.
