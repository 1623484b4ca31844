// Bytes that only pass through a buffer, moved by a function that does not know what they are.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-fno-strict-aliasing %s
#include "../EndToEnd/check.h"

__attribute__((noinline)) static void move(void *to, const void *from, size_t n) {
  memcpy(to, from, n);
}
__attribute__((noinline)) static void moveWords(long *to, const long *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}
double f(const double *x) {
  char a[64], b[64];
  memcpy(a, x, 3 * sizeof *x);
  move(b, a, 3 * sizeof *x);
  const double *r = (const double *)b;
  return r[0] * r[1] + r[2];
}
double g(const double *x) {
  char *a = malloc(64), *b = malloc(64);
  memcpy(a, x, 3 * sizeof *x);
  moveWords((long *)b, (long *)a, 3);
  const double *r = (const double *)b;
  double result = r[0] * r[1] + r[2];
  free(a);
  free(b);
  return result;
}

int main(void) {
  double x[3] = {1.5, 2, 3}, d[3] = {0}, e[3] = {0}, t[3] = {1, -1, 0.5};
  __enzyme_autodiff((void *)f, x, d);
  CHECK_SLOPES("x", 3, x, d, f(x));
  CHECK_FORWARD("f", __enzyme_fwddiff((void *)f, x, t), 3, t, d);
  __enzyme_autodiff((void *)g, x, e);
  CHECK_SLOPES("words", 3, x, e, g(x));
  CHECK_FORWARD("g", __enzyme_fwddiff((void *)g, x, t), 3, t, e);
  return finish();
}
