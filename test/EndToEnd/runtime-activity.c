// enzyme_runtime_activity: an argument whose shadow is the argument itself carries no derivative.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 4 };
extern int enzyme_runtime_activity;

static __attribute__((noinline)) double scaled(const double *p, const double *q, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i] * q[n - 1 - i] * q[i];
  return sum;
}
double both(double *a, double *b, double *out) {
  for (int i = 0; i < N; i++)
    out[i] = a[i] * b[i];
  double copy[N];
  memcpy(copy, b, sizeof copy);
  b[0] = 2 * b[0] + 1; // Also where b has no shadow.
  return scaled(a, b, N) + copy[1] * a[2] + out[3] * out[0];
}
double matrix(double **rows) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < N; j++)
      sum += rows[i][j] * rows[(i + 1) % 3][j] * (i + 1);
  return sum;
}
typedef struct Node {
  double v;
  struct Node *next;
} Node;
double walk(const Node *n) {
  double sum = 0, product = 1;
  for (; n; n = n->next) {
    product *= n->v;
    sum += product * product;
  }
  return sum;
}

static double a[N], b[N], da[N], db[N], out[N], dout[N];
static void reset(void) {
  fill(a, N, 1, 1, 2);
  fill(b, N, 2, 1, 2);
}
static double value(double *which, int i, double h) {
  reset();
  which[i] += h;
  double v = both(a, b, out);
  reset();
  return v;
}
static double slope(double *which, int i) {
  double h = 0;
  return SLOPE(h, value(which, i, h));
}

int main(void) {
  // Which of a and b has a shadow is only known when the program runs.
  for (int which = 0; which < 4; which++) {
    reset();
    memset(da, 0, sizeof da);
    memset(db, 0, sizeof db);
    memset(dout, 0, sizeof dout);
    double *sa = which & 1 ? da : a, *sb = which & 2 ? db : b;
    __enzyme_autodiff((void *)both, enzyme_runtime_activity, enzyme_dup, a, sa, enzyme_dup, b, sb,
                      enzyme_dup, out, dout);
    for (int i = 0; i < N; i++) {
      CHECK_AT("da", i + 10 * which, da[i], which & 1 ? slope(a, i) : 0);
      CHECK_AT("db", i + 10 * which, db[i], which & 2 ? slope(b, i) : 0);
    }
    reset();
    double ta[N] = {1, 2, 3, 4}, tb[N] = {4, -1, 2, 1}, expected = 0;
    for (int i = 0; i < N; i++)
      expected += (which & 1 ? ta[i] * slope(a, i) : 0) + (which & 2 ? tb[i] * slope(b, i) : 0);
    reset();
    double t = __enzyme_fwddiff((void *)both, enzyme_dup, a, which & 1 ? ta : a, enzyme_dup, b,
                                which & 2 ? tb : b, enzyme_runtime_activity, enzyme_dup, out, dout);
    CHECK_AT("jvp", which, t, expected);
    CHECK_AT("b is written once", which, b[0], 2 * (reset(), b[0]) + 1);
  }
  // Rows of a matrix, one of them without.
  double m[3][N], d[3][N] = {{0}}, *rows[3], *drows[3];
  fill(&m[0][0], 3 * N, 7, 1, 2);
  for (int i = 0; i < 3; i++) {
    rows[i] = m[i];
    drows[i] = i == 1 ? m[i] : d[i];
  }
  __enzyme_autodiff((void *)matrix, enzyme_runtime_activity, enzyme_dup, rows, drows);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < N; j++)
      CHECK_AT("rows", N * i + j, d[i][j], i == 1 ? 0 : SLOPE(m[i][j], matrix(rows)));
  // The end of a list is constant.
  Node third = {1.5, 0}, second = {2.5, &third}, first = {0.5, &second};
  Node dfirst = {0, &second};
  __enzyme_autodiff((void *)walk, enzyme_runtime_activity, enzyme_dup, &first, &dfirst);
  CHECK("list", dfirst.v, SLOPE(first.v, walk(&first)));
  CHECK("second", second.v, 2.5);
  return finish();
}
