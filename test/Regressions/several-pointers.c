// A result of two pointers: one leads to integers, the other one to numbers.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
struct Sparse {
  int *index;
  double *value;
};
__attribute__((noinline)) static struct Sparse make(int n) {
  struct Sparse s = {(int *)malloc((n + 2) * sizeof(int)), (double *)calloc(n + 2, sizeof(double))};
  for (int i = 0; i < n + 2; i++)
    s.index[i] = (i + n) % 2;
  return s;
}
double program(const double *in, int n) {
  struct Sparse s = make(n);
  s.value[s.index[0]] = in[0] * in[1];
  s.value[s.index[1]] = in[1] * in[2];
  double r = sin(s.value[0] * s.value[1]) + s.value[0];
  free(s.value);
  free(s.index);
  return r;
}
int main(void) {
  for (int n = 0; n < 3; n++) {
    double x[3] = {0.5, 0.8, -0.7}, d[3] = {0}, t[3] = {0.5, -1, 2};
    __enzyme_autodiff((void *)program, x, d, n);
    CHECK_SLOPES("program", 3, x, d, program(x, n));
    CHECK("forward", __enzyme_fwddiff((void *)program, x, t, n), 0.5 * d[0] - d[1] + 2 * d[2]);
  }
  return finish();
}
