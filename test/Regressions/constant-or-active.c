// One pointer may lead to a constant table or to an active array; the table stays as it is.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"

#define NOINLINE __attribute__((noinline))

typedef struct {
  double a, b[3];
} Record;
static const double table[4] = {0.3, -0.8, 1.1, 0.6};
static const Record record = {1.5, {0.2, 0.4, 0.8}};

double chosen(double *x, int n) {
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += ((i + n) % 3 ? x[i] : table[(i + n) % 4]) * x[0];
  return sin(s);
}
NOINLINE static const double *pick(const double *x, int n) { return n % 2 ? table + n % 3 : x; }
double picked(double *x, int n) {
  const double *p = pick(x + 1, n), *q = pick(x, n + 1);
  return p[0] * q[1] * x[2] + p[1];
}
double copied(double *x, int n) {
  double y[3];
  memcpy(y, n % 2 ? record.b : x, sizeof y);
  return y[0] * y[1] * y[2] * x[3];
}
/* The table's part of the loop changes sides while it runs. */
double merged(double *x, int n) {
  const double *p = x, *q = record.b;
  double s = x[0];
  for (int i = 0; i < n; i++) {
    s = sin(s + p[i % 3] * q[(i + 1) % 3]);
    const double *t = p;
    p = q;
    q = t;
  }
  return s;
}
NOINLINE static double weighted(const double *w, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += w[i] * x[i];
  return s;
}
double called(double *x, int n) {
  return weighted(n % 2 ? x : table, x, n % 4) + weighted(table, x, 4) * weighted(x, x, 4);
}

#define CHECK_ALL(F)                                                                           \
  for (int n = 0; n < 6; n++) {                                                                \
    double x[4] = {0.5, 0.9, -0.4, 1.2}, dx[4] = {0};                                          \
    __enzyme_autodiff((void *)F, x, dx, n);                                                    \
    for (int i = 0; i < 4; i++) {                                                              \
      double e[4] = {0};                                                                       \
      e[i] = 1;                                                                                \
      CHECK_AT(#F, 10 * n + i, dx[i], SLOPE(x[i], F(x, n)));                                   \
      CHECK_AT(#F " jvp", 10 * n + i, __enzyme_fwddiff((void *)F, x, e, n), dx[i]);            \
    }                                                                                          \
  }

int main(void) {
  CHECK_ALL(chosen)
  CHECK_ALL(picked)
  CHECK_ALL(copied)
  CHECK_ALL(merged)
  CHECK_ALL(called)
  return finish();
}
