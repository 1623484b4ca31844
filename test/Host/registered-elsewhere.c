// Full link-time optimisation: a derivative and an inactive function are declared in another file.
// REQUIRES: lld
// RUN: split-file %s %t
// RUN: %clang -O2 -flto=full -funified-lto -c %t/call.c -o %t/call.o
// RUN: %clang -O2 -flto=full -funified-lto -c %t/function.c -o %t/function.o
// RUN: %preload%clang_bin -O2 -flto=full -funified-lto -fuse-ld=lld -Wl,--lto=full -Wl,--load-pass-plugin=%plugin %t/call.o %t/function.o -o %t/program
// RUN: %t/program | FileCheck %s
// CHECK: 614

//--- call.c
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double square(double), quiet(double);
double f(double x) { return 3 * square(x) + x * quiet(x); }
int main(void) { printf("%g\n", __enzyme_autodiff((void *)f, 2.0)); }

//--- function.c
double square(double x) { return x * x; }
double augmented(double x) { return x * x; }
double reverse(double x, double seed) { return 100 * x * seed; } /* Wrong, to be recognised. */
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmented, (void *)reverse};
__attribute__((annotate("enzyme_inactive"))) double quiet(double x) { return 7 * x; }
