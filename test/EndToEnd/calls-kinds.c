// Inline and weak bodies, const and pure, mutual recursion, tail calls, returned pointers,
// ends of the program.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#define FAR static __attribute__((noinline))
// inline bodies
inline double inlined(double x) { return x * x * x; }
extern inline __attribute__((gnu_inline)) double gnu(double x) {
  return sin(x) * x;
}
__attribute__((weak)) double weak(double x) { return exp(x); }
double inlined(double x);
double gnu(double x) { return sin(x) * x; }
__attribute__((noinline, const)) static double power(double x, int n) {
  return n ? x * power(x, n - 1) : 1;
}
__attribute__((noinline, pure)) static double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return sqrt(s);
}
// mutual recursion
FAR double odd(double x, int n);
FAR double even(double x, int n) { return n ? x * odd(x + 1, n - 1) : x; }
FAR double odd(double x, int n) {
  return n ? sin(x) + even(x * 0.5, n - 1) : x * x;
}
// tail calls
FAR double loop(double x, double acc, int n) {
  if (!n)
    return acc;
  __attribute__((musttail)) return loop(x, acc * x + n, n - 1);
}
FAR double step(double *x, int n) {
  if (n == 0)
    return x[0];
  x[0] *= x[1];
  __attribute__((musttail)) return step(x, n - 1);
}
// pointers returned
FAR double *largest(double *x, int n) {
  double *m = x;
  for (int i = 1; i < n; i++)
    if (x[i] > *m)
      m = x + i;
  return m;
}
FAR double *fresh(int n, double v) {
  double *p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = v * i;
  return p;
}
FAR double **rows(int n, int m, double v) {
  double **p = malloc(n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = fresh(m, v + i);
  return p;
}
// ends of the program
FAR double guarded(double x) {
  if (x > 1e9) {
    fprintf(stderr, "too large\n");
    exit(3);
  }
  if (x != x)
    abort();
  if (x < -1e9)
    __builtin_trap();
  return x * x;
}
FAR double hinted(double x, int n) {
  __builtin_assume(n > 0);
  if (__builtin_expect(n > 100, 0))
    return x;
  if (n < 0)
    __builtin_unreachable();
  switch (n % 3) {
  case 0:
    return x;
  case 1:
    return x * x;
  case 2:
    return sin(x);
  }
  __builtin_unreachable();
}
double program(const double *in, int n) {
  double x[6], sum = 0;
  for (int i = 0; i < n; i++)
    x[i] = in[i];
  sum += inlined(x[0]) + gnu(x[1]) + weak(x[2]) + power(x[3], 4) * norm(x, n);
  sum += even(x[0], 5) + loop(x[1], 1, 4) + step(x, 3);
  *largest(x, n) *= x[1];
  double *p = fresh(5, x[2]), **r = rows(3, 4, x[3]);
  for (int i = 0; i < 5; i++)
    sum += p[i] * p[(i + 1) % 5];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++)
      sum += r[i][j] * x[j];
    free(r[i]);
  }
  free(r);
  free(p);
  for (int i = 0; i < n; i++)
    sum += guarded(x[i]) + hinted(x[i], i + 1);
  return sum;
}
int main(void) {
  double x[6], d[6] = {0}, t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  __enzyme_autodiff((void *)program, x, d, 6);
  CHECK_SLOPES_WITHIN(1e-3, "program", 6, x, d, program(x, 6));
  CHECK_FORWARD("program", __enzyme_fwddiff((void *)program, x, t, 6), 6, t, d);
  return finish();
}
