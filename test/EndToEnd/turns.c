// Sine and cosine of one number, hyperbolic ones, a power beside a logarithm: the derivative takes what the program
// has computed. In loops, in branches, in records that are turned step by step.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

static double turned(const double *in, int n) {
  double x = 1, y = 0.5;
  for (int i = 0; i < n; i++) {
    const double c = cos(in[i]), s = sin(in[i]), old = x;
    x = c * x - s * y;
    y = s * old + c * y * in[i];
  }
  return x * y;
}

static double branches(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double s = sin(in[i]);
    if (in[i] > 0.5)
      sum += s * s;
    else
      sum += s * cos(in[i]) * sum + sinh(in[i]) * cosh(in[i]);
  }
  return sum;
}

static double powers(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++)
    sum += log(in[i]) * pow(in[i], in[i + 1]);
  return sum + cos(sin(in[0])) * sin(sin(in[0]));
}

int main() {
  double x[7], t[7];
  fill(x, 7, 3, 0.2, 1.2);
  fill(t, 7, 7, -1, 1);
  CHECK_FUNCTION(turned, 7, x, t, 7);
  CHECK_FUNCTION(branches, 7, x, t, 7);
  CHECK_FUNCTION(powers, 7, x, t, 7);
  return finish();
}
