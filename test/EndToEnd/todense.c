// __enzyme_todense: pointers whose accesses become calls, as shadows of derivatives.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan,recompute %s
#include "check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double *__enzyme_todense(void *, ...);
float *__enzyme_todense_float(void *, ...);
double *__enzyme_post_sparse_todense(void *, ...);

enum { N = 9, MOST = 4 * N };

/* The Hessian of a chained Rosenbrock function as triplets, a column at a time: the direction
   is a unit vector that is nowhere, the product goes to a list. */
typedef struct {
  int row, column;
  double value;
} entry;
typedef struct {
  entry entries[MOST];
  int count, dropped;
} triplets;

static double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    s += 100 * a * a + b * b;
  }
  return s;
}
static void gradient(const double *x, int n, double *g) {
  __enzyme_autodiff((void *)rosenbrock, enzyme_dup, x, g, enzyme_const, n);
}
static double unit(int64_t offset, int64_t column) { return offset == 8 * column; }
static void neverStored(double value, int64_t offset, int64_t column) { abort(); }
static double nothing(int64_t offset, int64_t column, triplets *t) { return 0; }
static void keep(double value, int64_t offset, int64_t column, triplets *t) {
  int row = (int)(offset / 8);
  if (value == 0) {
    t->dropped++;
    return;
  }
  for (int k = 0; k < t->count; k++)
    if (t->entries[k].row == row && t->entries[k].column == column) {
      t->entries[k].value += value;
      return;
    }
  t->entries[t->count++] = (entry){row, (int)column, value};
}
static void hessian(const double *x, triplets *t) {
  double g[N] = {0};
  for (int64_t column = 0; column < N; column++) {
    double *direction = __enzyme_todense((void *)unit, (void *)neverStored, column);
    __enzyme_fwddiff((void *)gradient, enzyme_dup, x, direction, enzyme_const, N, enzyme_dupnoneed,
                     g, __enzyme_post_sparse_todense((void *)nothing, (void *)keep, column, t));
  }
}

/* A gradient in a table of its own: reverse mode adds to it. Through calls, recursion, choices,
   copies and vectors. */
static double table[2 * N];
static double get(int64_t offset, int64_t stride) { return table[offset / 8 * stride]; }
static void put(double value, int64_t offset, int64_t stride) { table[offset / 8 * stride] = value; }
__attribute__((noinline)) static double tail(const double *x, int n) {
  return n ? x[0] * x[0] * n + tail(x + 1, n - 1) : 0;
}
static double objective(const double *x, int n) {
  const double *from = n > 4 ? x + 1 : x;
  double copy[N], s = tail(x, n);
  memcpy(copy, x, n * sizeof *x);
  for (int i = 0; i + 1 < n; i++)
    s += copy[i] * from[i] + sin(x[i]);
  return s;
}
static void overwrite(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] *= x[i];
  memset(x, 0, sizeof *x);
}

static float getFloat(int64_t offset, float *p) { return p[offset / 4 + 1]; }
static void putFloat(float value, int64_t offset, float *p) { p[offset / 4 + 1] = value; }
static float product(const float *x) { return x[0] * x[1] * x[2]; }

int main(void) {
  double x[N];
  fill(x, N, 7, 0.5, 1.5);
  triplets t = {.count = 0};
  hessian(x, &t);
  CHECK("entries", t.count, 3 * N - 2);
  double full[N][N] = {{0}}; // The entries come in no order.
  for (int k = 0; k < t.count; k++)
    full[t.entries[k].row][t.entries[k].column] += t.entries[k].value;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double exact = i == j ? (i + 1 < N ? 1200 * x[i] * x[i] - 400 * x[i + 1] + 2 : 0) + (i ? 200 : 0)
                     : i - j == 1 || j - i == 1 ? -400 * x[i < j ? i : j]
                                                : 0;
      CHECK_AT("hessian", i * N + j, full[i][j], exact);
    }

  double wanted[N] = {0};
  __enzyme_autodiff((void *)objective, enzyme_dup, x, wanted, enzyme_const, N);
  __enzyme_autodiff((void *)objective, enzyme_dup, x,
                    __enzyme_todense((void *)get, (void *)put, (int64_t)2), enzyme_const, N);
  for (int i = 0; i < N; i++)
    CHECK_AT("objective", i, table[2 * i], wanted[i]);

  /* Forward mode reads and writes it; what is cleared, is. */
  double y[N];
  memcpy(y, x, sizeof x);
  for (int i = 0; i < N; i++)
    table[i] = i + 1;
  __enzyme_fwddiff((void *)overwrite, enzyme_dup, y,
                   __enzyme_todense((void *)get, (void *)put, (int64_t)1), enzyme_const, N);
  for (int i = 0; i < N; i++)
    CHECK_AT("overwrite", i, table[i], i ? 2 * x[i] * (i + 1) : 0);

  float f[3] = {2, 3, 4}, df[4] = {-1, 0, 0, 0};
  float *shadow = __enzyme_todense_float((void *)getFloat, (void *)putFloat, df);
  __enzyme_autodiff((void *)product, enzyme_dup, f, shadow);
  CHECK("float before", df[0], -1);
  CHECK("float 0", df[1], 12);
  CHECK("float 1", df[2], 8);
  CHECK("float 2", df[3], 6);
  return finish();
}
