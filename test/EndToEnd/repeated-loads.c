// Values that loops read again and again are kept for one of their iterations: rows of a matrix that are
// all multiplied by one vector, in loops of other shapes around, between and inside; and not where one
// of these changes the vector.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %clang -O2 -mllvm -isozyme-fuse=0 %s -lm -o %t.unfused && %t.unfused
#include "check.h"

enum { N = 6, Steps = 4 };

static void layer(const double *w, const double *in, double *out, int from, int to) {
  for (int o = 0; o < to; o++) {
    double sum = 0.1 * w[o];
    for (int i = 0; i < from; i++)
      sum += w[(o + i) % N] * in[i] * in[i];
    out[o] = sum;
  }
}

// The state changes from step to step.
static double steps(const double *x, int n) {
  double a[N], b[N], total = 0;
  for (int i = 0; i < n; i++)
    a[i] = 0.3 + 0.1 * i;
  for (int s = 0; s < Steps; s++) {
    layer(x, a, b, n, n);
    layer(x, b, a, n, n);
    for (int i = 0; i < n; i++)
      a[i] = tanh(a[i]) + 0.01 * s;
    total += a[s % n];
  }
  return total;
}

// As often as a condition on numbers holds: the number of steps is not known before.
static double untilLarge(const double *x, int n) {
  double a[N], b[N], size = 1;
  for (int i = 0; i < n; i++)
    a[i] = 0.3 + 0.1 * i;
  while (size < 30) {
    layer(x, a, b, n, n);
    for (int i = 0; i < n; i++)
      a[i] = 0.7 * sin(b[i]) + 0.2;
    size *= 1.5 + 0.01 * x[0];
  }
  return a[0] * size + a[n - 1];
}

// Rows of a triangle, and rows that are left out.
static double triangle(const double *x, int n) {
  double a[N], total = 0;
  for (int s = 0; s < Steps; s++) {
    for (int i = 0; i < n; i++)
      a[i] = x[i] * (s + 1);
    for (int o = 0; o < n; o++) {
      if ((o + s) % 3 == 0)
        continue;
      for (int i = 0; i <= o; i++)
        total += a[i] * a[i] * a[i] * x[o];
    }
  }
  return total;
}

// A row changes what the next one reads; in the second half, another place of it.
static double changing(const double *x, int n) {
  double a[2 * N], total = 0;
  for (int i = 0; i < 2 * n; i++)
    a[i] = x[i % n];
  for (int s = 0; s < Steps; s++)
    for (int o = 0; o < n; o++) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += a[i] * a[i] * x[(i + o) % n];
      a[s < 2 ? o : n + o] = 0.1 * sum;
      total += sum;
    }
  return total + a[n] + a[2 * n - 1];
}

// Four loops around; the vector changes in the second and in none of the others.
static double deep(const double *x, int n) {
  double a[N], total = 0;
  for (int i = 0; i < n; i++)
    a[i] = x[i];
  for (int p = 0; p < 2; p++)
    for (int s = 0; s < 3; s++) {
      for (int o = 0; o < n; o++)
        for (int q = 0; q < 2; q++)
          for (int i = 0; i < n; i++)
            total += a[i] * a[i] * x[(o + q + p) % n];
      a[(s + p) % n] += 0.2 * x[s];
    }
  return total;
}

int main(void) {
  double x[N] = {0.3, 0.6, 0.4, 0.7, 0.5, 0.8}, v[N] = {1, -0.5, 0.3, 0.8, -0.2, 0.4};
  CHECK_FUNCTION(steps, N, x, v, N);
  CHECK_FUNCTION(untilLarge, N, x, v, N);
  CHECK_FUNCTION(triangle, N, x, v, N);
  CHECK_FUNCTION(changing, N, x, v, N);
  CHECK_FUNCTION(deep, N, x, v, N);
  return finish();
}
