// Misuse of __enzyme_todense and what __isozyme_dependence cannot see: one error each.
// RUN: not %clang -O0 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
double *__enzyme_todense(void *, ...);
double __enzyme_todense_number(void *, ...);
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
void __isozyme_dependence(void *, ...);

double load(int64_t at, double *p) { return p[at / 8]; }
void store(double v, int64_t at, double *p) { p[at / 8] = v; }
float loadFloat(int64_t at, double *p) { return p[at / 8]; }
void storeFloat(float v, int64_t at, double *p) { p[at / 8] = v; }
double *loadPointer(int64_t at, double *p) { return p; }
double square(const double *x) { return x[0] * x[0]; }
void use(double *);

void malformed(double *x, void *unknown) {
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: '__enzyme_todense' needs two functions, to load and to store with; {{.*}} [IZ120]
  __enzyme_autodiff((void *)square, enzyme_dup, x, __enzyme_todense((void *)load));
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: the second argument of '__enzyme_todense' is not a function that is known here; {{.*}} [IZ120]
  __enzyme_autodiff((void *)square, enzyme_dup, x, __enzyme_todense((void *)load, unknown, x));
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: 'load' takes 2 arguments, but '__enzyme_todense' calls it with 3; {{.*}} [IZ120]
  __enzyme_autodiff((void *)square, enzyme_dup, x, __enzyme_todense((void *)load, (void *)store, x, x));
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: 'load' has a pointer for argument 2, but '__enzyme_todense' has 'double'; {{.*}} [IZ120]
  __enzyme_autodiff((void *)square, enzyme_dup, x, __enzyme_todense((void *)load, (void *)store, 2.0));
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: 'store' has 'double' for argument 1, but '__enzyme_todense' has 'float'; {{.*}} [IZ120]
  __enzyme_autodiff((void *)square, enzyme_dup, x, __enzyme_todense((void *)loadFloat, (void *)store, x));
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: 'loadPointer' returns a pointer, not a number; {{.*}} [IZ120]
  __enzyme_autodiff((void *)square, enzyme_dup, x, __enzyme_todense((void *)loadPointer, (void *)store, x));
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: '__enzyme_todense' is declared to return 'double'; {{.*}} [IZ120]
  x[1] = __enzyme_todense_number((void *)load, (void *)store, x);
}

// CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: a pointer of '__enzyme_todense' is stored in memory; {{.*}} [IZ212]
void escapes(double **where, double *x) { *where = __enzyme_todense((void *)load, (void *)store, x); }
void other(double *x) {
  // CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: a pointer of '__enzyme_todense' is passed to 'use', which has no body here; {{.*}} [IZ212]
  use(__enzyme_todense((void *)load, (void *)store, x));
}
// CHECK-DAG: sparse.c:[[@LINE+1]]:{{[0-9]+}}: error: a pointer of '__enzyme_todense' is used in 'ret'; {{.*}} [IZ212]
double *returned(double *x) { return __enzyme_todense((void *)load, (void *)store, x); }
void mixed(double *x, int which) {
  double *p = __enzyme_todense((void *)load, (void *)store, x);
  for (int i = 0; i < which; i++)
    p = (i & 1) ? x : p;
  // CHECK-DAG: error: a pointer of '__enzyme_todense' and another pointer are chosen from; {{.*}} [IZ212]
  __enzyme_autodiff((void *)square, enzyme_dup, x, p);
}
void narrow(double *x) {
  // CHECK-DAG: error: a pointer of '__enzyme_todense' is accessed as 'double', but 'loadFloat' returns 'float'; {{.*}} [IZ212]
  __enzyme_autodiff((void *)square, enzyme_dup, x, __enzyme_todense((void *)loadFloat, (void *)storeFloat, x));
}

/* What a registered derivative does to memory is hidden from masks. */
__attribute__((noinline)) void table(const double *x, double *y) { y[0] = x[0] + x[1]; }
void table_forward(const double *x, const double *dx, double *y, double *dy) { dy[0] = dx[0] + dx[1]; y[0] = x[0] + x[1]; }
void *__enzyme_register_derivative_table[] = {(void *)table, (void *)table_forward};
void caller(const double *x, double *y) { table(x, y); }
void masks(double *x, double *dx, double *y, double *dy) {
  // CHECK-DAG: sparse.c:[[@LINE-5]]:{{[0-9]+}}: error: 'table' works on memory and has a registered derivative, which hides what depends on what; {{.*}} [IZ213]
  __isozyme_dependence((void *)caller, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
// CHECK-DAG: sparse.c:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}enzyme_out{{.*}} [IZ111]
double number(double x) { return x; }
void out(double x) { __isozyme_dependence((void *)number, enzyme_out, x); }
// CHECK-DAG: {{^[0-9]+ errors generated}}
