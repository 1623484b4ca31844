// Where nobody reads what enzyme_dupnoneed leads to, the pointer may lead nowhere: stores are
// left out, in functions that are called, too. What is read back, or passed twice, is stored.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_fwdsplit(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_width;

enum { N = 3 };
#define NOWHERE ((double *)8)

__attribute__((noinline)) static void put(double *y, double v, int *count) {
  y[1] = v * v;
  ++*count;
}
void model(const double *x, int n, double *y, int *count) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    y[i + 2] = x[i] * x[i];
    sum += x[i];
  }
  put(y, sum, count);
  y[0] = sin(sum);
}
void readsBack(const double *x, double *y, volatile int *twice) {
  double old = y[0];
  y[0] = x[0] * old;
  if (*twice)
    y[0] *= y[0];
}
void inPlace(const double *x, double *y) {
  y[0] = x[1] * 2;
  y[1] = x[0] * x[0];
}

void copied(const double *x, double *y, double *kept) {
  memcpy(y, x, N * sizeof *y);
  memset(y + 1, 0, sizeof *y);
  kept[0] = x[0] * x[0];
}

int main(void) {
  double x[N] = {3, 5, 0.5}, one[N] = {1, 0, 0}, two[N] = {0, 1, 1};
  double sum = 8.5, seed[N + 2] = {1, 2, 3, 4, 5}, expected[N], t[N + 2], u[N + 2];
  int calls = 0;
  for (int i = 0; i < N; i++)
    expected[i] = cos(sum) + 2 * 2 * sum + (3 + i) * 2 * x[i];

  __enzyme_fwddiff((void *)model, enzyme_width, 2, enzyme_dup, x, one, two, enzyme_const, N,
                   enzyme_dupnoneed, NOWHERE, t, u, enzyme_const, &calls);
  CHECK("tangent of sine", t[0], cos(sum));
  CHECK("tangent of square", u[1], 2 * 2 * sum);
  CHECK("tangent of element", t[2] + u[3] + u[4], 2 * sum);
  CHECK("calls", calls, 1);

  double g[N] = {0}, s[N + 2];
  memcpy(s, seed, sizeof s);
  __enzyme_autodiff((void *)model, enzyme_dup, x, g, enzyme_const, N, enzyme_dupnoneed, NOWHERE, s,
                    enzyme_const, &calls);
  for (int i = 0; i < N; i++)
    CHECK_AT("gradient", i, g[i], expected[i]);

  double h[N] = {0};
  memcpy(s, seed, sizeof s);
  void *tape = __enzyme_augmentfwd((void *)model, enzyme_dup, x, h, enzyme_const, N,
                                   enzyme_dupnoneed, NOWHERE, s, enzyme_const, &calls);
  __enzyme_reverse((void *)model, enzyme_dup, x, h, enzyme_const, N, enzyme_dupnoneed, NOWHERE, s,
                   enzyme_const, &calls, tape);
  for (int i = 0; i < N; i++)
    CHECK_AT("in two halves", i, h[i], expected[i]);

  double kept[N] = {-2, 0, 1};
  tape = __enzyme_augmentfwd((void *)model, enzyme_dup, x, one, enzyme_const, N, enzyme_dupnoneed, NOWHERE, t,
                             enzyme_const, &calls);
  CHECK("calls of the first half", calls, 4);
  memset(t, 0, sizeof t);
  __enzyme_fwdsplit((void *)model, enzyme_dup, x, one, enzyme_const, N, enzyme_dupnoneed, NOWHERE, t, enzyme_const,
                    &calls, tape);
  CHECK("tangent of sine after the first half", t[0], cos(sum));
  CHECK("tangent of square after the first half", t[1], 2 * sum);
  CHECK("tangent of element after the first half", t[2], 2 * x[0]);
  memset(t, 0, sizeof t);
  tape = __enzyme_augmentfwd((void *)copied, enzyme_dup, x, one, enzyme_dupnoneed, NOWHERE, t, enzyme_dup, kept, u);
  x[0] = 100;
  __enzyme_fwdsplit((void *)copied, enzyme_dup, x, one, enzyme_dupnoneed, NOWHERE, t, enzyme_dup, kept, u, tape);
  x[0] = 3;
  CHECK("tangent of a copy", t[0], 1);
  CHECK("tangent beside a copy", u[0], 6);
  CHECK("value beside a copy", kept[0], 9);
  CHECK("calls of the second half", calls, 4);

  double y = 2, dy = 1, dx[N] = {0};
  volatile int twice = 1;
  __enzyme_autodiff((void *)readsBack, enzyme_dup, x, dx, enzyme_dupnoneed, &y, &dy, enzyme_const,
                    &twice);
  CHECK("read back", dx[0], 2 * x[0] * 2 * 2);

  double p[2] = {3, 5}, dp[2] = {1, 0};
  __enzyme_fwddiff((void *)inPlace, enzyme_dup, p, dp, enzyme_dupnoneed, p, dp);
  CHECK("in place", dp[1], 2 * 10 * 2 * 0);
  CHECK("value in place", p[1], 100);
  return finish();
}
