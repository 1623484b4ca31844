// A forward call is compared with differences and with the reverse derivative: with both where it
// is wrong; a wrong reverse derivative alone is a note, once for each call in the source; and
// where there is none, nothing is said. Tangents stay what they were.
// RUN: %clang -O0 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s %S/Inputs/second.c -o %t0 -lm
// RUN: %clang -O2 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s %S/Inputs/second.c -o %t2 -lm
// RUN: not %t0 result 2>&1 | FileCheck --check-prefix=RESULT %s
// RUN: not %t2 result 2>&1 | FileCheck --check-prefix=RESULT %s
// RUN: not %t0 element 2>&1 | FileCheck --check-prefix=ELEMENT %s
// RUN: not %t2 element 2>&1 | FileCheck --check-prefix=ELEMENT %s
// RUN: not %t2 lanes 2>&1 | FileCheck --check-prefix=LANES %s
// RUN: %t0 reverse 2>&1 | FileCheck --check-prefix=REVERSE %s
// RUN: %t2 reverse 2>&1 | FileCheck --check-prefix=REVERSE %s
// RUN: %t2 small 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: %t0 kink 2>&1 | FileCheck --check-prefix=KINK %s
// RUN: %t0 right 2>&1 | FileCheck --check-prefix=RIGHT %s
// RUN: %t2 right 2>&1 | FileCheck --check-prefix=RIGHT %s
#include <isozyme/isozyme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_fwddiff(void *, ...);
typedef struct {
  double Value, Tangent;
} Pair;

__attribute__((noinline)) double cube(double x) { return x * x * x; }
Pair tangent_cube(double x, double dx) { return (Pair){x * x * x, 2 * x * x * dx}; }
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)tangent_cube};
double cubed(double x) { return cube(x) + x; }
void cubes(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = i == 1 ? cube(x[i]) : x[i] * x[(i + 1) % n];
}

// Without a body here, its rule is all there is; this one is wrong.
double augment_cbrt(double x) { return cbrt(x); }
double gradient_cbrt(double x, double seed) { return seed * x; }
void *__enzyme_register_gradient_cbrt[] = {(void *)cbrt, (void *)augment_cbrt,
                                           (void *)gradient_cbrt};
double root(double x) { return cbrt(x) + x; }
void roots(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = i == 2 ? 1e-9 * cbrt(x[i]) : sin(x[i]);
}
double rootOfSize(double x) { return fabs(cbrt(x) - 2); }

// Forward mode only.
__attribute__((const)) double square(double x);
Pair tangent_square(double x, double dx) { return (Pair){x * x, 2 * x * dx}; }
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)tangent_square};
double squared(double x) { return square(x) + x; }

double norm(const double *x, double scale, int n) {
  static double last;
  double *copy = malloc(n * sizeof *copy), sum = 0;
  for (int i = 0; i < n; i++)
    copy[i] = x[i] * x[i] * scale;
  for (int i = 0; i < n; i++)
    sum += copy[i];
  free(copy);
  last = sqrt(sum);
  return last;
}
void products(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i] = x[i] * sin(x[i - 1]);
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {1, 0.5, -1, 2}, ex[4] = {0, 1, 0, 0};
  double y[4] = {0}, dy[4] = {9, 9, 9, 9};
  static const double fixed[4] = {1, 2, 3, 4};
  const char *What = argv[1];
  // RESULT: identity.c:[[#@LINE+4]]:{{[0-9]+}}: isozyme check: the derivative of 'cubed' is wrong: the tangent of the result is 9, differences 13, reverse mode 13
  // RESULT: note: derivatives that are registered by hand take part in it: 'cube'
  // RESULT: 1 call checked, 1 wrong
  if (!strcmp(What, "result"))
    printf("%g\n", __enzyme_fwddiff((void *)cubed, 2.0, 1.0));
  // ELEMENT: the derivative of 'cubes' is wrong: the tangent of argument 1 (x), element [1] is 4, differences 6, reverse mode 6
  // ELEMENT: now 8, 2.5 4 2 14
  // ELEMENT: 1 call checked, 1 wrong
  if (!strcmp(What, "element")) {
    __enzyme_fwddiff((void *)cubes, x, dx, 4);
    fprintf(stderr, "now %g, %g %g %g %g\n", x[1], dx[0], dx[1], dx[2], dx[3]);
  }
  // LANES: argument 1 (x), element [1] is 4, differences 6, reverse mode 6
  // LANES: argument 1 (x), element [1] is 8, differences 12, reverse mode 12
  // LANES: now 8, 2.5 4 2 14, 1 8 0 4
  if (!strcmp(What, "lanes")) {
    __enzyme_fwddiff((void *)cubes, enzyme_width, 2, x, dx, ex, 4);
    fprintf(stderr, "now %g, %g %g %g %g, %g %g %g %g\n", x[1], dx[0], dx[1], dx[2], dx[3], ex[0],
            ex[1], ex[2], ex[3]);
  }
  // REVERSE: identity.c:[[#@LINE+6]]:{{[0-9]+}}: isozyme check: note: the reverse derivative of 'root' disagrees: forward mode 1.083333333, differences 1.083333333, reverse mode 9; a call of __enzyme_autodiff would be wrong
  // REVERSE-NOT: disagrees
  // REVERSE: slope 1.08333
  // REVERSE: 2 calls checked, 0 wrong
  if (!strcmp(What, "reverse"))
    for (int i = 0; i < 2; i++)
      fprintf(stderr, "slope %g\n", __enzyme_fwddiff((void *)root, 8.0, 1.0));
  // An output that is small is not lost beside others.
  // SMALL: the reverse derivative of 'roots' disagrees: forward mode {{.*}}, summed over its outputs with random weights
  // SMALL: now 0.540302 -0.208073 -1.6025e-10 -1.30729, 1 0.5 -1 2
  // SMALL: 1 call checked, 0 wrong
  if (!strcmp(What, "small")) {
    __enzyme_fwddiff((void *)roots, x, dx, y, dy, 4);
    fprintf(stderr, "now %g %g %g %g, %g %g %g %g\n", dy[0], dy[1], dy[2], dy[3], dx[0], dx[1],
            dx[2], dx[3]);
  }
  // KINK: the reverse derivative of 'rootOfSize' disagrees
  // KINK: undecided: 'rootOfSize' is not smooth here
  // KINK: 1 call checked, 0 wrong, 1 undecided
  if (!strcmp(What, "kink"))
    __enzyme_fwddiff((void *)rootOfSize, 8.0, 1.0);
  // RIGHT-NOT: identity.c
  // RIGHT: now 5, 3.74388 7.74597, 1.68294 1 1.50134 -1.49777
  // RIGHT: 5 calls checked, 0 wrong
  if (!strcmp(What, "right")) {
    double slope = __enzyme_fwddiff((void *)squared, 2.0, 1.0);
    double both = __enzyme_fwddiff((void *)norm, x, dx, 2.0, 1.0, 4);
    double constant = __enzyme_fwddiff((void *)norm, x, fixed, enzyme_const, 2.0, 4);
    __enzyme_fwddiff((void *)products, x, dx, 4);
    double z[4] = {5, 6, 7, 8};
    __enzyme_fwddiff((void *)products, enzyme_width, 2, z, dy, ex, 4);
    fprintf(stderr, "now %g, %g %g, %g %g %g %g\n", slope, both, constant, x[1], dx[0], dx[1],
            dx[2]);
  }
  return 0;
}
