// Full link-time optimisation: the function to differentiate is in another file.
// REQUIRES: lld
// RUN: split-file %s %t
// RUN: %clang -O2 -flto=full -funified-lto -c %t/call.c -o %t/call.o
// RUN: %clang -O2 -flto=full -funified-lto -c %t/function.c -o %t/function.o
// RUN: %preload%clang_bin -O2 -flto=full -funified-lto -fuse-ld=lld -Wl,--lto=full -Wl,--load-pass-plugin=%plugin %t/call.o %t/function.o -o %t/program
// RUN: %t/program | FileCheck %s
// RUN: %clang -O0 -flto=full -c %t/call.c -o %t/call0.o
// RUN: %clang -O0 -flto=full -c %t/function.c -o %t/function0.o
// RUN: %preload%clang_bin -O0 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t/call0.o %t/function0.o -o %t/program0
// RUN: %t/program0 | FileCheck %s
// CHECK: 12 3

//--- call.c
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double cube(double);
double scale(double);
static double scaled(double x) { return scale(x); }
int main(void) {
  printf("%g %g\n", __enzyme_autodiff((void *)cube, 2.0), __enzyme_autodiff((void *)scaled, 2.0));
}

//--- function.c
double cube(double x) { return x * x * x; }
double scale(double x) { return 3 * x; }
