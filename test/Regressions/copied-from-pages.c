// What is copied from memory without a shadow of its own, to memory whose shadow is the memory
// itself, stays as the primal has it: the tangent goes nowhere.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"

extern int enzyme_runtime_activity;
double __enzyme_fwddiff(void *, ...);

enum { N = 4 };
/* Made before the call, and reached through a variable: its shadow is looked up in pages. */
static double *table;

static double f(const double *x, double *out, int n) {
  for (int i = 0; i < n; i++)
    table[i] = x[i] * x[i];
  memcpy(out, table, n * sizeof *out);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += table[i] * x[n - 1 - i] + out[i];
  return sum;
}

int main(void) {
  double x[N] = {1.5, -0.7, 2.1, 0.4}, dx[N] = {0.3, 1.1, -0.6, 0.9}, out[N], dout[N];
  double *volatile made = malloc(sizeof x);
  table = made;
  volatile int n = N;
  for (int own = 0; own < 2; own++) {
    memset(out, 0, sizeof out);
    memset(dout, 0, sizeof dout);
    double *shadow = own ? out : dout;
    double d = __enzyme_fwddiff((void *)f, enzyme_runtime_activity, enzyme_dup, x, dx, enzyme_dup, out,
                                shadow, enzyme_const, n);
    double expected = 0;
    for (int i = 0; i < N; i++) {
      CHECK_AT("out", i, out[i], x[i] * x[i]);
      expected += 2 * x[i] * dx[i] * x[N - 1 - i] + x[i] * x[i] * dx[N - 1 - i];
      if (!own) {
        expected += 2 * x[i] * dx[i];
        CHECK_AT("tangent of out", i, dout[i], 2 * x[i] * dx[i]);
      }
    }
    CHECK("tangent", d, expected);
  }
  free(made);
  return finish();
}
