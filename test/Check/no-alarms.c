// What a check cannot decide, or must not do, is said so and is no fault: kinks, effects that
// cannot be taken back, markings by which a derivative is not that of the numbers.
// RUN: %clang -O0 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t0 -lm
// RUN: %clang -O2 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t2 -lm
// RUN: %t0 2>&1 | FileCheck %s
// RUN: %t2 2>&1 | FileCheck %s
// RUN: env ISOZYME_CHECK_EVERY=3 %t2 2>&1 | FileCheck --check-prefix=EVERY %s
#include <isozyme/isozyme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);

double relu(double x) { return x > 0 ? x : 0; }
double distance(double x) { return fabs(x - 1); }
double prints(double x) {
  printf("x is %g\n", x);
  return x * x;
}
double randomly(double x) { return x * (double)rand(); }
static double shown;
__attribute__((noinline)) void show(double x) { shown = x; }
void *__enzyme_inactivefn_show = (void *)show;
double showing(double x) {
  show(x);
  return x * shown;
}
double releases(double *p) {
  double r = *p * *p;
  free(p);
  return r;
}
double rounding(double x) { return floor(8 * x) * x; }
double hardly(double x) { return (x + 1e17) - 1e17 + x; }
double infinite(double x) { return sqrt(x); }
// Smooth at all steps of differences; and another function, or none, below them.
double waves(const double *x, int n) {
  double s = 0;
  for (int k = 0; k < 20000; k++)
    for (int i = 0; i < n; i++)
      s += sin(5 * x[i] * k) * 1e-3;
  return s;
}
double logistic(double x) {
  for (int i = 0; i < 60; i++)
    x = 3.9 * x * (1 - x);
  return x;
}
double cancels(double x) { return (1 - cos(x)) / (x * x); }
double smooth(double x) { return sin(x) * exp(x); }
// State of the function's own is put back, and so is what it allocates.
double counted(const double *x, int n) {
  static double last;
  static int calls;
  double *copy = malloc(n * sizeof *copy), s = 0;
  for (int i = 0; i < n; i++)
    copy[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += copy[i];
  free(copy);
  last = s;
  return s * ++calls;
}

int main() {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  // CHECK: no-alarms.c:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: undecided: 'relu' is not smooth here
  __enzyme_autodiff((void *)relu, 0.0);
  // CHECK: undecided: 'distance' is not smooth here
  __enzyme_autodiff((void *)distance, 1.0);
  __enzyme_autodiff((void *)distance, 1.5);
  // Printed once, however often the function is run, and checked.
  // CHECK-NEXT: x is 1
  // CHECK-NOT: x is 1
  __enzyme_autodiff((void *)prints, 1.0);
  // CHECK: no-alarms.c:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: not checked: it calls 'rand', whose effects cannot be taken back
  __enzyme_autodiff((void *)randomly, 1.0);
  // CHECK: not checked: it {{calls|uses}} 'show{{.*}}', which is marked inactive, and differences would see it
  __enzyme_autodiff((void *)showing, 1.0);
  double *p = malloc(sizeof *p), *dp = calloc(1, sizeof *dp);
  *p = 3;
  // CHECK: not checked: the function releases memory that it has not allocated
  __enzyme_autodiff((void *)releases, enzyme_dup, p, dp);
  __enzyme_autodiff((void *)rounding, 0.3);
  // CHECK: undecided: 'infinite'
  __enzyme_autodiff((void *)infinite, 0.0);
  // CHECK: undecided: 'waves'
  __enzyme_autodiff((void *)waves, enzyme_dup, x, dx, 3);
  // CHECK: undecided: 'logistic'
  __enzyme_autodiff((void *)logistic, 0.13);
  // CHECK: undecided: 'cancels'
  __enzyme_autodiff((void *)cancels, 1e-3);
  dx[0] = dx[1] = dx[2] = 0;
  for (int i = 0; i < 9; i++)
    __enzyme_autodiff((void *)smooth, 0.1 * i);
  __enzyme_autodiff((void *)counted, enzyme_dup, x, dx, 3);
  double once = dx[0];
  __enzyme_autodiff((void *)counted, enzyme_dup, x, dx, 3);
  // CHECK: counted 2 4
  fprintf(stderr, "counted %g %g\n", once, dx[0] - once);
  // CHECK: isozyme check: {{[0-9]+}} calls checked, 0 wrong, 6 undecided, 3 not checked
  // EVERY: 6 left out by ISOZYME_CHECK_EVERY
  return 0;
}
