// Thin link-time optimisation: works where the function is in the file of the call. Where it is not, the
// compiler says so, for the linker's run would not bring it either.
// REQUIRES: lld
// RUN: %clang -O2 -flto=thin -DHERE -c %s -o %t.o
// RUN: %clang_bin -O2 -flto=thin -fuse-ld=lld %t.o -o %t && %t | FileCheck %s
// RUN: not %clang -O2 -flto=thin -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double cube(double);
#ifdef HERE
double cube(double x) { return x * x * x; }
#endif
// CHECK: 12
// ELSEWHERE: thin-lto.c:[[#@LINE+1]]:{{.*}}error: {{.*}} or compile and link all files with 'isozyme cc -flto' instead of '-flto=thin', {{.*}} [IZ102]
int main(void) { printf("%g\n", __enzyme_autodiff((void *)cube, 2.0)); }
