// Memory of the caller changed in place: in/out buffers, prefix sums, overwritten inputs.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 9 };

void square(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i] + sin(x[i]);
}
void prefix(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i] += x[i - 1] * x[i];
}
void twice(double *x, int n) {
  square(x, n);
  prefix(x, n);
  for (int i = 0; i < n / 2; i++) { // reverse the order
    double swap = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = swap;
  }
  prefix(x, n);
}
void accumulate(double *x, int n) {
  double *sum = x; // the first element is the sum of all
  for (int i = 1; i < n; i++)
    *sum += x[i] * *sum;
  x[n - 1] = 3; // and this input is forgotten
}

// The Jacobian's row for the output `row`, by differences.
static double element(void (*f)(double *, int), const double *x, int row, int column) {
  double y[N], in = x[column];
  return SLOPE(in, (memcpy(y, x, sizeof y), y[column] = in, f(y, N), y[row]));
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    for (int row = 0; row < N; row += 2) {                                                         \
      double x[N], d[N] = {0}, t[N], dot = 0;                                                      \
      memcpy(x, start, sizeof x);                                                                  \
      d[row] = 1;                                                                                  \
      __enzyme_autodiff((void *)F, x, d, N);                                                       \
      for (int i = 0; i < N; i++) {                                                                \
        CHECK_AT(#F, row * N + i, d[i], element(F, start, row, i));                                \
        dot += d[i] * direction[i];                                                                \
      }                                                                                            \
      memcpy(x, start, sizeof x);                                                                  \
      memcpy(t, direction, sizeof t);                                                              \
      __enzyme_fwddiff((void *)F, x, t, N);                                                        \
      CHECK_AT(#F " jvp", row, t[row], dot);                                                       \
    }                                                                                              \
  } while (0)

int main(void) {
  double start[N], direction[N];
  fill(start, N, 6, -1, 1);
  fill(direction, N, 7, -1, 1);
  TEST(square);
  TEST(prefix);
  TEST(twice);
  TEST(accumulate);
  return finish();
}
