// Recursion: powers, Fibonacci, halves of an array, mutual, through pointers.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double power(double x, int n) {
  if (n == 0)
    return 1;
  double half = power(x, n / 2);
  return n % 2 ? half * half * x : half * half;
}
double fibonacci(double a, double b, int n) {
  return n < 2 ? (n ? b : a) : fibonacci(a, b, n - 1) * 0.5 + sin(fibonacci(a, b, n - 2));
}
double halves(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  double left = halves(x, n / 2), right = halves(x + n / 2, n - n / 2);
  return left * right + left;
}
double even(double x, int n);
double odd(double x, int n) { return n == 0 ? x * x : x * even(x + 0.1, n - 1); }
double even(double x, int n) { return n == 0 ? 1 / x : cos(odd(x * 1.1, n - 1)); }

void transform(double *x, int n, double factor) {
  if (n == 0)
    return;
  x[0] *= factor;
  transform(x + 1, n - 1, factor * x[0]);
  x[0] += n > 1 ? x[1] : factor;
}
double transformed(const double *in, int n) {
  double x[8];
  for (int i = 0; i < n; i++)
    x[i] = in[i];
  transform(x, n, 0.9);
  return x[0];
}

typedef struct {
  double a, b;
} Pair;
Pair __enzyme_autodiff_pair(void *, ...);

int main(void) {
  double x = 1.17, y = 0.6;
  for (int n = 0; n < 12; n += 3) {
    double d = __enzyme_autodiff((void *)power, x, n);
    CHECK_AT("power", n, d, n * pow(x, n - 1));
    CHECK_AT("power jvp", n, __enzyme_fwddiff((void *)power, x, 1.0, n), d);
    CHECK_AT("odd", n, __enzyme_autodiff((void *)odd, x, n), SLOPE(x, odd(x, n)));
    CHECK_AT("even jvp", n, __enzyme_fwddiff((void *)even, x, 1.0, n), SLOPE(x, even(x, n)));
  }
  Pair g = __enzyme_autodiff_pair((void *)fibonacci, x, y, 9);
  CHECK("fibonacci a", g.a, SLOPE(x, fibonacci(x, y, 9)));
  CHECK("fibonacci b", g.b, SLOPE(y, fibonacci(x, y, 9)));
  CHECK("fibonacci jvp", __enzyme_fwddiff((void *)fibonacci, x, 2.0, y, 3.0, 9), 2 * g.a + 3 * g.b);

  double v[7], dv[7] = {0}, dw[7] = {0}, t[7];
  fill(v, 7, 2, 0.2, 1.1);
  fill(t, 7, 3, -1, 1);
  __enzyme_autodiff((void *)halves, v, dv, 7);
  __enzyme_autodiff((void *)transformed, v, dw, 7);
  for (int i = 0; i < 7; i++) {
    CHECK_AT("halves", i, dv[i], SLOPE(v[i], halves(v, 7)));
    CHECK_AT("transformed", i, dw[i], SLOPE(v[i], transformed(v, 7)));
  }
  CHECK("halves jvp", __enzyme_fwddiff((void *)halves, v, t, 7), innerProduct(t, dv, 7));
  CHECK("transformed jvp", __enzyme_fwddiff((void *)transformed, v, t, 7), innerProduct(t, dw, 7));
  return finish();
}
