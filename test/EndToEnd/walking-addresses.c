// Pointers that loops move on, by one distance or several: in nests, downwards, from record to record, on
// conditions, and from one of two beginnings.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 5, Triangle = N * (N + 1) / 2 };

// A triangular matrix by columns: each has one element less.
__attribute__((noinline)) double triangle(const double *a, const double *x, int n, int times) {
  double sum = 0, y[N];
  for (int t = 0; t < times; t++) {
    const double *below = a;
    for (int i = 0; i < n; i++)
      y[i] = t * x[i];
    for (int column = 0; column < n; column++)
      for (int row = column; row < n; row++)
        y[row] += *below++ * sin(x[column]);
    for (int i = 0; i < n; i++)
      sum += y[i] * y[i];
  }
  return sum;
}

__attribute__((noinline)) double downwards(const double *a, const double *x, int n) {
  const double *last = a + n * (n + 1) / 2;
  double sum = 0;
  for (int row = 0; row < n; row++)
    for (int i = 0; i < n - row; i++) {
      --last;
      sum += *last * *last * x[row] * x[i];
    }
  return sum;
}

// What passes a test is written behind what has passed before.
__attribute__((noinline)) double selected(double *out, const double *x, int n) {
  double *next = out, sum = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      *next++ = x[i] * x[i];
      if (i % 2)
        *next++ = exp(x[i]);
    }
  for (double *p = out; p != next; p++)
    sum += *p * (p - out + 1);
  return sum;
}

struct record {
  double value;
  int skip;
  float factor;
};

__attribute__((noinline)) double records(const struct record *r, int count) {
  double sum = 0;
  for (const struct record *p = r, *end = r + count; p < end; p += p->skip)
    sum += sin(p->value) * p->factor;
  return sum;
}

// From one of two beginnings, and on to the other one.
__attribute__((noinline)) double either(const double *a, const double *b, int n) {
  const double *p = a;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += *p * *p * (i + 1);
    p = i == 2 ? b : p + 1 + i % 2;
  }
  return sum;
}

static struct record R[6];
static double factorOf(int i, double value) {
  R[i].value = value;
  return records(R, 6);
}

int main(void) {
  double a[Triangle], x[N] = {0.3, -0.5, 0.9, 0.2, -0.7}, out[2 * N];
  for (int i = 0; i < Triangle; i++)
    a[i] = 0.3 + sin(i);
  {
    double da[Triangle] = {0}, dx[N] = {0};
    GRADIENT_OF((void *)triangle, a, da, x, dx, N, 3);
    CHECK_SLOPES("triangle by a", Triangle, a, da, triangle(a, x, N, 3));
    CHECK_SLOPES("triangle by x", N, x, dx, triangle(a, x, N, 3));
  }
  {
    double da[Triangle] = {0}, dx[N] = {0};
    GRADIENT_OF((void *)downwards, a, da, x, dx, N);
    CHECK_SLOPES("downwards by a", Triangle, a, da, downwards(a, x, N));
    CHECK_SLOPES("downwards by x", N, x, dx, downwards(a, x, N));
  }
  {
    double dx[N] = {0}, dout[2 * N] = {0};
    GRADIENT_OF((void *)selected, out, dout, x, dx, N);
    CHECK_SLOPES("selected", N, x, dx, selected(out, x, N));
  }
  {
    struct record dr[6] = {{0}};
    for (int i = 0; i < 6; i++)
      R[i] = (struct record){0.2 * i, 1 + (i & 1), 1.5f + i};
    GRADIENT_OF((void *)records, R, dr, 6);
    for (int i = 0; i < 6; i++) {
      double value = R[i].value;
      CHECK_AT("records", i, dr[i].value, SLOPE(value, factorOf(i, value)));
      R[i].value = value;
      checkWithin("factors", i, dr[i].factor, i == 2 || i == 4 ? 0 : sin(R[i].value), 2e-7, 2e-7);
    }
  }
  {
    double da[Triangle] = {0}, db[N] = {0};
    GRADIENT_OF((void *)either, a, da, x, db, N);
    CHECK_SLOPES("either by a", Triangle, a, da, either(a, x, N));
    CHECK_SLOPES("either by b", N, x, db, either(a, x, N));
  }
  return finish();
}
