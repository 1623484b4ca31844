// The forward derivative of a gradient that keeps a tape: the caller joins all that the tape leads
// to, a count of iterations and the shadow of a structure among it. That something there is used
// as an integer does not make one of the shadow.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
struct S {
  double a;
  int k;
  double v[3];
  double b;
};
static __attribute__((noinline)) struct S h(struct S z, double b) {
  double *heads[3] = {0, 0, 0}, values[6];
  int next[6], first[3] = {-1, -1, -1};
  for (int i = 0; i < 6; i++) {
    values[i] = 0.05 + z.b * z.b;
    int k = (i * 2 + 5) % 3;
    next[i] = first[k];
    first[k] = i;
    heads[k] = &values[i];
  }
  for (int k = 0; k < 3; k++) {
    for (int i = first[k]; i >= 0; i = next[i]) {
      values[i] = values[i] * z.v[k];
      b = 0.8 * b + 0.1 * values[i];
    }
    if (heads[k])
      z.a += 0.1 * *heads[k] * b;
  }
  return z;
}
double f(const double *x, int n) {
  struct S z = {1, n % 5, {1, x[1], x[0]}, x[0]};
  z = h(z, 1);
  return 0.3 * z.a + z.v[z.k % 3] * z.v[2];
}
void gradient(const double *x, double *d, int n) { __enzyme_autodiff((void *)f, x, d, n); }
int main(void) {
  double x[2] = {0.3, 0.5}, t[2] = {0.7, -1.1}, h = 1e-5;
  for (int n = 1; n < 4; n++) {
    double d[2] = {0}, dt[2] = {0}, ahead[2], behind[2], after[2] = {0}, before[2] = {0};
    __enzyme_fwddiff((void *)gradient, x, t, d, dt, n);
    for (int i = 0; i < 2; i++)
      ahead[i] = x[i] + h * t[i], behind[i] = x[i] - h * t[i];
    gradient(ahead, after, n), gradient(behind, before, n);
    for (int i = 0; i < 2; i++)
      checkWithin("second derivative", 2 * n + i, dt[i], (after[i] - before[i]) / (2 * h), 1e-8, 1e-8);
  }
  return finish();
}
