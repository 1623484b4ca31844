// Shadows with null pointers, inputs among constants, one array under two names, inputs that
// lead out of an array when they are moved.
// RUN: %clang -O0 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t0 -lm
// RUN: %clang -O2 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t2 -lm
// RUN: %t0 right 2>&1 | FileCheck %s
// RUN: %t2 right 2>&1 | FileCheck %s
// RUN: not --crash %t0 null 2>&1 | FileCheck --check-prefix=NULL %s
// RUN: not --crash %t2 null 2>&1 | FileCheck --check-prefix=NULL %s
// RUN: not --crash %t2 row 2>&1 | FileCheck --check-prefix=ROW %s
// RUN: not --crash %t2 member 2>&1 | FileCheck --check-prefix=MEMBER %s
// RUN: not --crash %t2 constant 2>&1 | FileCheck --check-prefix=CONSTANT %s
// RUN: not %t2 small 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: not env ISOZYME_CHECK=const %t2 weights 2>&1 | FileCheck --check-prefix=WEIGHTS %s
#include <isozyme/isozyme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
  double *x;
  int *idx, n;
} Gather;
double gather(Gather *g) {
  double s = 0;
  for (int i = 0; i < g->n; i++)
    s += g->x[g->idx[i]] * g->x[g->idx[i]];
  return s;
}
double dot(const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * w[i];
  return s;
}
double rows(double **m, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += m[i][i] * m[i][i];
  return s;
}
static double table[4] = {1, 2, 4, 8};
double lookup(double x) { return x * table[(int)((x - 3) * 1e9)]; }

__attribute__((noinline)) double cube(double x) { return x * x * x; }
double augment_cube(double x) { return x * x * x; }
double gradient_cube(double x, double seed) { return -3 * x * x * seed; }
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augment_cube,
                                           (void *)gradient_cube};
double mixture(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += i == 2 ? cube(x[i]) : x[i] * x[i];
  return s;
}

static const double Fixed[4] = {1, 2, 3, 4};

int main(int argc, char **argv) {
  const char *What = argv[1];
  double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, dx[8] = {0};
  int *idx = calloc(3000, sizeof *idx);
  if (!strcmp(What, "right")) {
    // Nobody needs the shadow of indices; elements of a null pointer are not all null.
    Gather g = {x, idx, 3000}, dg = {dx, NULL, 0};
    __enzyme_autodiff((void *)gather, enzyme_dup, &g, &dg);
    // CHECK: gathered 6000
    fprintf(stderr, "gathered %g\n", dx[0]);
    dx[0] = 1;
    __enzyme_fwddiff((void *)gather, enzyme_dup, &g, &dg);
    dx[0] = 0;
    __enzyme_autodiff((void *)dot, enzyme_dup, Fixed, dx, enzyme_dup, x, dx + 4, 4);
    // CHECK: fixed 1 2 3
    fprintf(stderr, "fixed %g %g %g\n", dx[0], dx[1], dx[6]);
    // CHECK: memory.c:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: not checked: memory of an enzyme_const argument is differentiated by way of another argument
    __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_const, x, 4);
    // CHECK: undecided: 'lookup'
    __enzyme_autodiff((void *)lookup, 3.0);
  }
  // CHECK: 4 calls checked, 0 wrong, 1 undecided, 1 not checked
  // NULL: memory.c:[[#@LINE+2]]:{{[0-9]+}}: isozyme check: the shadow of argument 1 (x) is a null pointer
  if (!strcmp(What, "null"))
    __enzyme_autodiff((void *)dot, enzyme_dup, x, NULL, enzyme_const, Fixed, 4);
  // ROW: a pointer in a shadow is null, where that of argument 1 (m), element [1][1] should be
  double *m[2] = {x, x + 4}, *dm[2] = {dx, NULL};
  if (!strcmp(What, "row"))
    __enzyme_autodiff((void *)rows, enzyme_dup, m, dm, 2);
  // MEMBER: a pointer in a shadow is null, where that of argument 1 (g), element [0][0] should be
  Gather g = {x, idx, 3000}, dg = {NULL, idx, 0};
  if (!strcmp(What, "member"))
    __enzyme_autodiff((void *)gather, enzyme_dup, &g, &dg);
  // What is constant for the program still is.
  // CONSTANT: checked
  // CONSTANT-NOT: written
  if (!strcmp(What, "constant")) {
    __enzyme_autodiff((void *)dot, enzyme_dup, Fixed, dx, enzyme_const, x, 4);
    fprintf(stderr, "checked\n");
    *(volatile double *)&Fixed[1] = dx[1];
    fprintf(stderr, "written\n");
  }
  // SMALL: the gradient of 'mixture' is wrong at argument 1 (x), element [2]: reverse mode -27
  x[0] = 1e6;
  if (!strcmp(What, "small"))
    __enzyme_autodiff((void *)mixture, enzyme_dup, x, dx, 8);
  // WEIGHTS: the derivative of 'dot' with respect to argument 2 (w) is not zero, and the call says enzyme_const
  if (!strcmp(What, "weights"))
    __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_const, Fixed, 4);
  return 0;
}
