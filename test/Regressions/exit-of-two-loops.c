// A way out of two loops at once, of which the inner one runs as often as the outer one counts:
// the reverse sweep enters both there, and the second needs the counter of the first.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
double f(const double *x, double stop) {
  double a[2] = {x[0], x[1]}, s = 0.5;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < i; j++) {
      a[j & 1] = 0.2 * a[1 - (j & 1)] * s + fmin(x[j], s + 0.05);
      if (j == 2)
        goto out;
    }
    s = 0.9 * s + 0.1 * tanh(a[0] * x[i] + stop);
  }
out:
  return s * a[0] + a[1] * a[1];
}
int main(void) {
  for (int stops = 0; stops < 4; stops++) {
    double x[4] = {0.7, 0.3, -0.4, 1.1}, stop = stops * 0.15 + 0.1;
    double all[4] = {0}, halves[4] = {0}, h = 1e-6;
    __enzyme_autodiff((void *)f, x, all, enzyme_const, stop);
    void *tape = __enzyme_augmentfwd((void *)f, x, halves, enzyme_const, stop);
    __enzyme_reverse((void *)f, x, halves, enzyme_const, stop, 1.0, tape);
    for (int i = 0; i < 4; i++) {
      x[i] += h;
      double ahead = f(x, stop);
      x[i] -= 2 * h;
      double difference = (ahead - f(x, stop)) / (2 * h);
      x[i] += h;
      checkWithin("whole", 4 * stops + i, all[i], difference, 1e-8, 1e-8);
      checkWithin("in halves", 4 * stops + i, halves[i], difference, 1e-8, 1e-8);
    }
  }
  return finish();
}
