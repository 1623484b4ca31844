// Faults of a program's own in calls of derivatives: each is found, and named by argument and
// element, with the line of the call.
// RUN: %clang -O0 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t0 -lm
// RUN: %clang -O2 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t2 -lm
// RUN: not %t0 sign 2>&1 | FileCheck --check-prefix=SIGN %s
// RUN: not %t2 sign 2>&1 | FileCheck --check-prefix=SIGN %s
// RUN: not %t2 tangent 2>&1 | FileCheck --check-prefix=TANGENT %s
// RUN: not %t0 overwritten 2>&1 | FileCheck --check-prefix=OVERWRITTEN %s
// RUN: not %t2 overwritten 2>&1 | FileCheck --check-prefix=OVERWRITTEN %s
// RUN: not %t2 small 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: not %t0 matrix 2>&1 | FileCheck --check-prefix=MATRIX %s
// RUN: not %t2 matrix 2>&1 | FileCheck --check-prefix=MATRIX %s
// RUN: not %t2 shared 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: %t2 zeroing 2>&1 | FileCheck --check-prefix=ZEROING %s
// RUN: not env ISOZYME_CHECK=zero %t2 zeroing 2>&1 | FileCheck --check-prefix=ZEROING %s
// RUN: %t2 constant 2>&1 | FileCheck --check-prefix=QUIET %s
// RUN: not env ISOZYME_CHECK=const %t2 constant 2>&1 | FileCheck --check-prefix=CONST %s
// RUN: env ISOZYME_CHECK=0 %t2 sign 2>&1 | FileCheck --check-prefix=OFF --allow-empty %s
#include <isozyme/isozyme.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

__attribute__((noinline)) double square(double x) { return x * x; }
double augment_square(double x) { return x * x; }
double gradient_square(double x, double seed) { return -2 * x * seed; }
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augment_square,
                                             (void *)gradient_square};

// OFF-NOT: isozyme check
double squares(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += i == 3 ? square(x[i]) : sin(x[i]);
  return s;
}

double trace(double **m, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += i == 1 ? square(m[i][2]) : m[i][i];
  return s;
}

__attribute__((noinline)) double cube(double x) { return x * x * x; }
typedef struct {
  double Value, Tangent;
} Pair;
Pair tangent_cube(double x, double dx) { return (Pair){x * x * x, 2 * x * x * dx}; }
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)tangent_cube};
double cubed(double x) { return cube(x) + x; }

__attribute__((noinline)) double scaled(double *w, double x) { return w[1] * x; }
double augment_scaled(double *w, double *dw, double x) { return w[1] * x; }
double gradient_scaled(double *w, double *dw, double x, double seed) {
  double g = w[1] * seed;
  w[1] = 0;
  return g;
}
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)augment_scaled,
                                             (void *)gradient_scaled};
double scaleTwice(double *w, double x) { return scaled(w, x) * x; }

double weighted(const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * w[i];
  return s;
}

int main(int argc, char **argv) {
  double x[6] = {1, 2, 3, 4, 5, 6}, dx[6] = {0}, w[6] = {3, 5, 7, 9, 11, 13};
  const char *What = argv[1];
  // SIGN: faults.c:[[#@LINE+4]]:{{[0-9]+}}: isozyme check: the gradient of 'squares' is wrong at argument 1 (x), element [3]: reverse mode -8, differences 8, forward mode 8
  // SIGN-NEXT: note: derivatives that are registered by hand take part in it: 'square'
  // SIGN-NEXT: isozyme check: 1 call checked, 1 wrong
  if (!strcmp(What, "sign"))
    __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, 6);
  // MATRIX: the gradient of 'trace' is wrong at argument 1 (m), element [1][2]: reverse mode -10, differences 10, forward mode 10
  double *m[2] = {x, x + 2}, *dm[2] = {dx, dx + 2};
  if (!strcmp(What, "matrix"))
    __enzyme_autodiff((void *)trace, enzyme_dup, m, dm, 2);
  // TANGENT: faults.c:[[#@LINE+3]]:{{[0-9]+}}: isozyme check: the derivative of 'cubed' is wrong: the tangent of the result is 9, differences 13
  // TANGENT: 1 call checked, 1 wrong
  if (!strcmp(What, "tangent"))
    printf("%g\n", __enzyme_fwddiff((void *)cubed, 2.0, 1.0));
  // OVERWRITTEN: the derivative of 'scaleTwice' changes memory that the function does not: argument 1 (w), element [1] was 5 and is 0
  if (!strcmp(What, "overwritten"))
    printf("%g\n", __enzyme_autodiff((void *)scaleTwice, enzyme_const, w, 2.0));
  // SMALL: faults.c:[[#@LINE+4]]:{{[0-9]+}}: isozyme check: the shadow of argument 1 (x) has 24 bytes, and 'weighted' uses 32 or more of what it is for
  // SMALL: 1 wrong
  static double three[3], behind[8]; // Nothing else is hit by what is written too far.
  if (!strcmp(What, "small"))
    __enzyme_autodiff((void *)weighted, enzyme_dup, x, three, enzyme_const, w, 4 + (behind[0] > 0));
  // SHARED: argument 2 (w), element [0] and argument 1 (x), element [1] have the same shadow
  if (!strcmp(What, "shared"))
    __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_dup, w, dx + 1, 3);
  // ZEROING: the shadow of argument 1 (x), element [2] is 1.5 before the call, and the gradient is added to it
  dx[2] = 1.5;
  if (!strcmp(What, "zeroing"))
    __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_const, w, 6);
  // QUIET-NOT: enzyme_const
  // QUIET: 1 call checked, 0 wrong
  // CONST: the derivative of 'weighted' with respect to argument 2 (w) is not zero, and the call says enzyme_const
  dx[2] = 0;
  if (!strcmp(What, "constant"))
    __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_const, w, 6);
  return 0;
}
