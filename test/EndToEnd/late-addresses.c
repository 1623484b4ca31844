// Addresses that a function writes last, over others that the reverse sweep reads: their shadows
// wait for its end as they do.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 4 };

// Like an array in Fortran.
typedef struct {
  double *data;
  long from;
} Field;

static __attribute__((noinline)) void fillSquares(Field *u, const double *x, int n) {
  for (int i = 0; i < n; i++)
    u->data[i - u->from] = x[i] * x[i];
}

static __attribute__((noinline)) void swapFields(Field *u, Field *v) {
  Field t = *u;
  *u = *v;
  *v = t;
}

static double weighed(const Field *u, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u->data[i - u->from] * u->data[i - u->from] * (i + 1);
  return sum;
}

static double steps(const double *x, int n) {
  Field u = {malloc(n * sizeof(double)), 0}, v = {malloc(n * sizeof(double)), 0};
  fillSquares(&u, x, n);
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < n; i++)
      v.data[i] = u.data[i] + 0.1 * sin(u.data[(i + 1) % n]);
    swapFields(&u, &v);
  }
  double sum = weighed(&u, n);
  free(u.data);
  free(v.data);
  u.data = v.data = NULL;
  return sum;
}

static double onHeap(const double *x, int n) {
  Field *u = malloc(sizeof *u);
  u->data = malloc(n * sizeof(double));
  u->from = 0;
  fillSquares(u, x, n);
  double sum = weighed(u, n);
  free(u->data);
  u->data = NULL;
  free(u);
  return sum;
}

// The caller's field: afterwards it leads elsewhere, and so does its shadow.
static double redirected(Field *u, double *other, int n) {
  double sum = weighed(u, n);
  u->data = other;
  return sum;
}

int main(void) {
  double x[N], dx[N] = {0}, other[N] = {0}, dother[N] = {0};
  fill(x, N, 1, 0.2, 1.2);
  __enzyme_autodiff((void *)steps, x, dx, N);
  CHECK_SLOPES("steps", N, x, dx, steps(x, N));
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)onHeap, x, dx, N);
  CHECK_SLOPES("on the heap", N, x, dx, onHeap(x, N));
  memset(dx, 0, sizeof dx);
  Field u = {x, 0}, du = {dx, 0};
  __enzyme_autodiff((void *)redirected, &u, &du, other, dother, N);
  CHECK("primal leads elsewhere", u.data == other, 1);
  CHECK("shadow leads elsewhere", du.data == dother, 1);
  CHECK_SLOPES("redirected", N, x, dx, (u.data = x, redirected(&u, other, N)));
  return finish();
}
