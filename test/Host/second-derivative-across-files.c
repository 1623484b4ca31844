// A derivative of a derivative of a function that is in another file: neither is made before the
// linker knows that function, also where all results go through memory. Compared with 6 k x.
// REQUIRES: lld
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %preload%isozyme cc -O0 -flto call.c energy.c -o program && ./program | FileCheck %s
// RUN: %preload%isozyme cc -O1 -flto call.c energy.c -o program && ./program | FileCheck %s
// RUN: %preload%isozyme cc -O3 -flto call.c energy.c -o program && ./program | FileCheck %s
// CHECK: 56; gradient 0 6 54; along (1, 1, 1) 0 12 36

//--- call.c
#include <stdio.h>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
double energy(const double *x, int n, double k);

static void plain(const double *x, double *result, int n) { *result = energy(x, n, 2); }

static void gradient(const double *x, double *dx, double *result, double *seed, int n) {
  __enzyme_autodiff((void *)plain, enzyme_dup, x, dx, enzyme_dup, result, seed, enzyme_const, n);
}

int main(void) {
  double x[3] = {0, 1, 3}, dx[3] = {0}, result = 0, seed = 1;
  double along[3] = {1, 1, 1}, curved[3] = {0}, slope = 0, none = 0;
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, along, enzyme_dup, dx, curved, enzyme_dup,
                   &result, &slope, enzyme_dup, &seed, &none, enzyme_const, 3);
  printf("%g; gradient %g %g %g; along (1, 1, 1) %g %g %g\n", result, dx[0], dx[1], dx[2],
         curved[0], curved[1], curved[2]);
}

//--- energy.c
double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += k * x[i] * x[i] * x[i];
  return sum;
}
