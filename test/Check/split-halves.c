// Both halves of a split derivative, and several lanes at once, are checked.
// RUN: %clang -O1 -g -mllvm -isozyme-check -mllvm -isozyme-no-warn=all %s -o %t -lm
// RUN: %t right 2>&1 | FileCheck --check-prefix=RIGHT %s
// RUN: not %t wrong 2>&1 | FileCheck --check-prefix=WRONG %s
#include <isozyme/isozyme.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_autodiff(void *, ...);
typedef struct { double Value[2]; } Two;
void __enzyme_fwddiff(void *, ...);

double f(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += y[i] = sin(x[i]) * x[i];
  return s;
}
__attribute__((noinline)) double third(double x) { return x / 3; }
double augment_third(double x) { return x / 3; }
double gradient_third(double x, double seed) { return seed / 2; }
void *__enzyme_register_gradient_third[] = {(void *)third, (void *)augment_third,
                                            (void *)gradient_third};
double g(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += y[i] = third(x[i]);
  return s;
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {0}, y[4], dy[4] = {0};
  if (!strcmp(argv[1], "wrong")) {
    void *tape = __enzyme_augmentfwd((void *)g, enzyme_dup, x, dx, enzyme_dup, y, dy, 4);
    memset(x, 0, sizeof x);
    // WRONG: split-halves.c:[[#@LINE+2]]:{{[0-9]+}}: isozyme check: the gradient of 'g' is wrong at argument 1 (x), element [0]: reverse mode 0.5, forward mode 0.3333333333
    // WRONG: 1 call checked, 1 wrong
    __enzyme_reverse((void *)g, enzyme_dup, x, dx, enzyme_dup, y, dy, 4, 1.0, tape);
    return 0;
  }
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, 4);
  dy[1] = 2;
  memset(x, 0, sizeof x);
  __enzyme_reverse((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, 4, 1.0, tape);
  double dx2[4] = {0, 1, 0, 2}, dy2[4] = {0};
  double dx3[4] = {0}, dy3[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_width, 2, enzyme_dup, x, dx2, dx3, enzyme_dup, y, dy2, dy3, 4);
  __enzyme_fwddiff((void *)f, enzyme_width, 2, enzyme_dup, x, dx2, dx3, enzyme_dup, y, dy2, dy3, 4);
  // RIGHT: isozyme check: 3 calls checked, 0 wrong
  return 0;
}
