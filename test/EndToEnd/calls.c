// Calls that are not inlined: results through pointers, in/out, several results, inactive helpers.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

#define FAR static __attribute__((noinline))

FAR double both(double x, double y, double *product) {
  *product = x * y;
  return x + sin(y);
}
FAR void swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}
FAR void bump(double *x, double by) { *x += by * *x; }
FAR int count(const double *x, int n) { // an integer: no derivative
  int c = 0;
  for (int i = 0; i < n; i++)
    c += x[i] > 0;
  return c;
}
FAR double *pick(double *x, int i) { return x + i % 3; }
FAR double weigh(const double *x, int n, double w) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += w * x[i] * x[i];
  return sum;
}
FAR void say(double x) { // output only
  if (x > 1e30)
    printf("large: %g\n", x);
}

double program(const double *in, int n) {
  double x[8], p, result = 0;
  for (int i = 0; i < n; i++)
    x[i] = in[i];
  for (int i = 0; i + 1 < n; i++) {
    result += both(x[i], x[i + 1], &p);
    result *= p;
    swap(&x[i], &x[n - 1 - i]);
    bump(pick(x, i), p);
    say(result);
  }
  if (count(in, n) > n / 2)
    result += weigh(x, n, result);
  return result + weigh(in, n - 1, x[0]);
}
double pipeline(double x) {
  double a = x, b;
  b = both(a, a * a, &a);
  b += both(a, b, &a);
  return weigh(&a, 1, b);
}

int main(void) {
  for (int seed = 1; seed < 4; seed++) {
    double x[6], dx[6] = {0}, t[6];
    fill(x, 6, seed, -0.9, 1.2);
    fill(t, 6, seed + 9, -1, 1);
    __enzyme_autodiff((void *)program, x, dx, 6);
    for (int i = 0; i < 6; i++)
      CHECK_AT("program", i, dx[i], SLOPE(x[i], program(x, 6)));
    CHECK("program jvp", __enzyme_fwddiff((void *)program, x, t, 6), innerProduct(t, dx, 6));
    double y = x[0], d = __enzyme_autodiff((void *)pipeline, y);
    CHECK("pipeline", d, SLOPE(y, pipeline(y)));
    CHECK("pipeline jvp", __enzyme_fwddiff((void *)pipeline, y, 2.0), 2 * d);
  }
  return finish();
}
