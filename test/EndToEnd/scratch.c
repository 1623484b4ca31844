// Buffers that each iteration fills anew and reads: what is read is computed again, as it was
// stored, where nothing came in between, and kept elsewhere. Buffers and inputs may overlap.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 12, D = 4, K = 3 };

// Filled, and read in two loops, one of them triangular.
static double centered(const double *x, int d, int k) {
  double *t = malloc(d * sizeof(double)), *u = malloc(d * sizeof(double)), sum = 0;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < d; i++)
      t[i] = x[j * d + i] - x[i] * 0.5;
    for (int i = 0; i < d; i++)
      u[i] = x[i] * t[i];
    int at = 0;
    for (int column = 0; column < d; column++)
      for (int row = column + 1; row < d; row++, at++)
        u[row] += x[at] * t[column];
    for (int i = 0; i < d; i++)
      sum += u[i] * u[i];
  }
  free(t);
  free(u);
  return sum;
}

// Places in packed triangles: some the same for each of the outer iterations, some not.
static double packed(const double *x, int d, int k) {
  double sum = 0;
  int on = 0;
  for (int j = 0; j < k; j++) {
    int at = 0;
    for (int column = 0; column < d; column++) {
      if (column % 2)
        at++;
      double part = 0;
      for (int row = column; row < d; row++, at++)
        part += x[at % N] * x[row] * x[j];
      if ((j + column) % 3 == 1)
        on++;
      sum += part * part * x[(at + on) % N];
    }
  }
  return sum;
}

// Neighbours, from a buffer that is longer than what is read at each place.
static double neighbours(const double *x, int d, int k) {
  double *t = malloc(d * sizeof(double)), sum = 0;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < d; i++)
      t[i] = sin(x[j + i]) * x[i];
    for (int i = 0; i < d - 2; i++)
      sum += t[i] * t[i + 1] * t[i + 2];
  }
  free(t);
  return sum;
}

// The last element is what the iteration before has left.
static double leftover(const double *x, int d, int k) {
  double t[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, sum = 0;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < d - j; i++)
      t[i] = x[i + j] * x[j];
    for (int i = 0; i < d; i++)
      sum += t[i] * t[i] * x[i];
  }
  return sum;
}

// Some elements are changed before they are read.
static double corrected(const double *x, int d, int k) {
  double *t = malloc(d * sizeof(double)), sum = 0;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < d; i++)
      t[i] = x[i] * x[j];
    t[j % d] += x[j + 1];
    for (int i = 0; i < d; i++)
      sum += t[i] * t[i];
    for (int i = 0; i < d; i++)
      if (x[i] > 0.6)
        t[i] = x[i] * x[i];
    for (int i = 0; i < d; i++)
      sum += t[i] * t[i] * t[i];
  }
  free(t);
  return sum;
}

// Between filling and reading, what it was computed from changes: a step in time.
static double steps(const double *x, int d, int k) {
  double *t = malloc(d * sizeof(double)), *u = malloc(d * sizeof(double)), sum = 0;
  for (int i = 0; i < d; i++)
    u[i] = x[i];
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < d; i++)
      t[i] = u[i] * u[i] + x[j];
    for (int i = 0; i < d; i++)
      u[i] = 0.5 * t[i] * t[d - 1 - i];
    for (int i = 0; i < d; i++)
      sum += t[i] * u[i];
  }
  free(t);
  free(u);
  return sum;
}

// A value for all of an iteration, stored and read again in loops.
static double shared(const double *x, int d, int k, double *scale) {
  double sum = 0;
  for (int j = 0; j < k; j++) {
    *scale = x[j] * x[j + 1];
    for (int i = 0; i < d; i++)
      sum += sin(*scale * x[i]);
  }
  return sum;
}

// t may overlap x.
__attribute__((noinline)) static double overlapping(double *t, const double *x, int d, int k) {
  double sum = 0;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < d; i++)
      t[i] = 0.5 * x[i] * x[i] + x[j];
    for (int i = 0; i < d; i++)
      sum += t[i] * t[i] * x[i + 1];
  }
  return sum;
}

int main(void) {
  double x[N], v[N], scale = 0, dscale = 0;
  fill(x, N, 1, 0.2, 1.2);
  fill(v, N, 2, -1, 1);
  CHECK_FUNCTION(centered, N, x, v, D, K);
  CHECK_FUNCTION(packed, N, x, v, D, K);
  CHECK_FUNCTION(neighbours, N, x, v, D, K);
  CHECK_FUNCTION(leftover, N, x, v, D, K);
  CHECK_FUNCTION(corrected, N, x, v, D, K);
  CHECK_FUNCTION(steps, N, x, v, D, K);

  double dx[N] = {0};
  __enzyme_autodiff((void *)shared, x, dx, D, K, &scale, &dscale);
  CHECK_SLOPES("shared", N, x, dx, shared(x, D, K, &scale));

  // The buffer at each place of the numbers that it is filled from, and apart from them.
  for (int from = 0; from + D + 1 <= N; from += 3)
    for (int at = 0; at + D <= N; at++) {
      double y[N], dy[N] = {0};
      memcpy(y, x, sizeof x);
      __enzyme_autodiff((void *)overlapping, y + at, dy + at, y + from, dy + from, D, K);
      CHECK_SLOPES("overlapping", N, x, dy,
                   (memcpy(y, x, sizeof x), overlapping(y + at, y + from, D, K)));
    }
  return finish();
}
