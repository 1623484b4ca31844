// A small integer beside floats, in code that does not say by its types what it is: the stride of
// an array in the record must not make a float of it, or the copy of the record is declined.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd --flag=-fno-strict-aliasing --levels=-O1,-O2 --keep plan %s
#include "check.h"
struct Mix {
  float f;
  char c;
  double d;
  short s;
  float g[3];
};
double program(const double *x, int n) {
  struct Mix m[2];
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    m[i].f = (float)x[i];
    m[i].c = (char)(i + n % 3);
    m[i].d = x[i] * x[i + 1];
    m[i].s = (short)(i * 2);
    for (int k = 0; k < 3; k++)
      m[i].g[k] = (float)(x[k] * (k + 1));
  }
  if (n % 2 == 1)
    m[0] = m[1];
  for (int i = 0; i < n; i++)
    m[i % 2].g[i % 3] = m[1 - i % 2].g[(i + 1) % 3] * 0.5f + m[0].f;
  for (int i = 0; i < n; i++)
    sum += m[i % 2].g[m[1 - i % 2].c % 3] * m[i % 2].d * m[i % 2].s;
  return sum;
}
double __enzyme_autodiff(void *, ...);
int main(void) {
  double x[3], d[3] = {0};
  fill(x, 3, 1, 0.5, 1.5);
  __enzyme_autodiff((void *)program, x, d, 5);
  for (int i = 0; i < 3; i++)
    CHECK_FLOAT("program", d[i], SLOPE_WITHIN(0.1, x[i], program(x, 5)));
  return finish();
}
