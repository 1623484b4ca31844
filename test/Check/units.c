// Several files of a program count together, with and without link-time optimisation.
// RUN: env ISOZYME_CHECK=1 %clang -O2 -g %s %S/Inputs/second.c -o %t -lm
// RUN: %t 2>&1 | FileCheck %s
// RUN: env ISOZYME_CHECK=1 %clang -O2 -g -flto=full -funified-lto -c %S/Inputs/second.c -o %t.o
// RUN: env ISOZYME_CHECK=1 %clang -O2 -g -DFAR -flto=full -funified-lto -fuse-ld=lld -Wl,--lto=full -Wl,--load-pass-plugin=%plugin %s %t.o -o %t -lm
// RUN: %t 2>&1 | FileCheck --check-prefix=FAR %s
// REQUIRES: lld
#include <math.h>
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double slopeInSecond(double x);
double square(double x);
#ifdef FAR
static double here(double x) { return square(x) * sin(x); }
#else
static double here(double x) { return x * sin(x); }
#endif

int main() {
  double sum = slopeInSecond(2);
  for (int i = 1; i < 4; i++)
    sum += __enzyme_autodiff((void *)here, (double)i);
  printf("%g\n", sum);
  // CHECK: isozyme check: 4 calls checked, 0 wrong
  // FAR: isozyme check: 4 calls checked, 0 wrong
  return 0;
}
