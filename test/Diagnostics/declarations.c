// Declarations that would change a derivative are errors, and hints are none.
// RUN: not %clang -O2 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -DHINTS -c %s -o %t.o
double __enzyme_autodiff(void *, ...);

#ifdef HINTS
__attribute__((annotate("enzyme_shouldrecompute")))
#else
__attribute__((annotate("enzyme_function_like=log1p")))
#endif
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: 'enzyme_function_like' of 'shifted' is not in this release of Isozyme; {{.*}} [IZ114]
double shifted(double x) { return x - 1; }

double forwards(double x, void **tape) { return x * x; }
double backwards(double x, double d, void *tape) { return 2 * x * d; }
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_register_gradient_square' is not in this release of Isozyme; {{.*}} [IZ114]
double square(double x) { return x * x; }
#ifndef HINTS
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)forwards, (void *)backwards};
#endif

#ifndef HINTS
double table;
double *__enzyme_inactive_global_table = &table;
#endif

// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_inactive_global_table' is not in this release
double slope(double x) { return __enzyme_autodiff((void *)square, x); }
