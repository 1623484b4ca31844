// qsort, qsort_r and bsearch on differentiated data: numbers, records, pointers.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#define _GNU_SOURCE
#include "check.h"

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static int byWeight(const void *a, const void *b, void *sign) {
  double x = **(double *const *)a, y = **(double *const *)b;
  return ((x > y) - (x < y)) * *(int *)sign;
}
struct item {
  int kind;
  double key, value;
};
static int comparisons;
static int byKind(const void *a,
                  const void *b) { // many are equal: the order has to be stable
  comparisons++;
  return ((const struct item *)a)->kind - ((const struct item *)b)->kind;
}
static int byKey(const void *key, const void *element) {
  double x = *(const double *)key, y = ((const struct item *)element)->key;
  return (x > y) - (x < y);
}
static int byName(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static double median(double *x, int n) {
  qsort(x, n, sizeof *x, ascending);
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}
static void sortAny(void *p, size_t n, size_t size,
                    int (*compare)(const void *, const void *)) {
  qsort(p, n, size, compare);
}
double program(const double *in, int n) {
  double x[9], *order[9], sum = 0;
  struct item items[9];
  char *names[3] = {"gamma", "alpha", "beta"};
  int sign = -1;
  qsort(names, 3, sizeof *names, byName);
  for (int i = 0; i < n; i++) {
    x[i] = in[i] * in[i];
    order[i] = &x[i];
    items[i] = (struct item){i % 3, i + 0.5, sin(in[i])};
  }
  qsort_r(order, n, sizeof *order, byWeight, &sign);
  for (int i = 0; i < n; i++)
    sum += (i + 1) * *order[i] * names[i % 3][0];
  double wanted = 2.5;
  struct item *found = bsearch(&wanted, items, n, sizeof *items, byKey);
  if (found)
    sum += found->value * found->value;
  if (bsearch(&in[0], items, n, sizeof *items, byKey))
    sum += 1e6;
  qsort(items, n, sizeof *items, byKind);
  for (int i = 0; i < n; i++)
    sum += i * items[i].value * items[(i + 1) % n].value;
  sortAny(x, 0, sizeof *x, ascending);
  return sum + median(x, n) * x[0] + exp(x[n - 1]);
}

int main(void) {
  for (int n = 1; n < 10; n++) {
    double x[9], d[9] = {0}, t[9];
    fill(x, 9, n, 0.2, 1.2);
    fill(t, 9, n + 9, -1, 1);
    comparisons = 0;
    __enzyme_autodiff((void *)program, x, d, n);
    CHECK("compared", comparisons > 0, n > 1);
    CHECK_SLOPES_WITHIN(1e-4, "program", n, x, d, program(x, n));
    CHECK_FORWARD("program", __enzyme_fwddiff((void *)program, x, t, n), n, t,
                  d);
  }
  return finish();
}
