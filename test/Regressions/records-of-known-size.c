// Records that are moved to larger blocks by a loop that the compiler unrolls, and a pointer that
// leads into a record or to an array: both once were errors, for want of the types of what is copied.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <stdlib.h>
struct record {
  double v;
  int n;
  double *row;
};
double grown(double a) {
  int count = 0, capacity = 1;
  struct record *all = (struct record *)malloc(sizeof *all);
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    if (count == capacity)
      all = (struct record *)realloc(all, (capacity *= 2) * sizeof *all);
    struct record *r = &all[count++];
    r->v = sin(a + i);
    r->n = 1 + i % 2;
    r->row = (double *)malloc(r->n * sizeof(double));
    for (int j = 0; j < r->n; j++)
      r->row[j] = r->v * a;
  }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < all[i].n; j++)
      sum = 0.5 * sum + all[i].row[j] * all[i].v;
    free(all[i].row);
  }
  free(all);
  return sum;
}
static int ascending(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}
struct inner {
  double v[2];
  int k;
};
double linked(const double *x, int n) {
  double sorted[4] = {x[0] * x[1], x[1], x[0], 3};
  qsort(sorted, 4, sizeof(double), ascending);
  struct {
    struct inner in[2];
    double *link;
  } o;
  o.in[0].v[0] = x[0] * x[0];
  o.in[0].v[1] = x[1];
  o.in[0].k = n % 2;
  o.in[1] = o.in[0];
  o.link = n % 3 ? o.in[1].v : sorted;
  o.in[1].v[o.in[0].k] *= x[1];
  return o.link[0] * o.in[1].v[n % 2] + sorted[o.in[1].k];
}
double grownBy(const double *x) { return grown(x[0]); }
double linked0(const double *x) { return linked(x, 0); }
double linked1(const double *x) { return linked(x, 1); }
int main(void) {
  double x[2] = {1.5, -0.7}, t[2] = {0.5, 2}, a[1] = {0.3}, u[1] = {2};
  CHECK_FUNCTION(grownBy, 1, a, u);
  CHECK_FUNCTION(linked0, 2, x, t);
  CHECK_FUNCTION(linked1, 2, x, t);
  return finish();
}
