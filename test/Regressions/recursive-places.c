// The nodes of a tree are elements of one array: a recursive function meets the array at
// several offsets, and what its later elements lead to counts as much as the first.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
struct pair {
  void *child[2];
};
// The lowest bit of an address says that it leads to a number.
static void *number(double *p) { return (void *)((size_t)p | 1); }
static double product(void *p) {
  if ((size_t)p & 1)
    return *(double *)((size_t)p & ~(size_t)1);
  struct pair *n = p;
  return product(n->child[0]) * product(n->child[1]);
}
double tagged(const double *x) {
  double leaf[2] = {x[0], x[1]};
  struct pair n[2];
  n[0].child[0] = n[0].child[1] = &n[1];
  n[1].child[0] = number(&leaf[0]);
  n[1].child[1] = number(&leaf[1]);
  return product(n);
}
struct item {
  double *value;
  struct item *next;
};
static double sum(const struct item *i) { return i ? *i->value * *i->value + sum(i->next) : 0; }
double listed(const double *x) {
  double a = x[0], b = x[1];
  struct item items[3];
  for (int i = 0; i < 3; i++)
    items[i].next = i < 2 ? &items[i + 1] : 0;
  items[0].value = items[1].value = &a;
  items[2].value = &b;
  return sum(items);
}
int main(void) {
  double x[2] = {1.5, -0.7}, d[2] = {0}, t[2] = {0.5, 2};
  __enzyme_autodiff((void *)tagged, x, d); // (x0 x1)^2
  CHECK("tagged", d[0], 2 * x[0] * x[1] * x[1]);
  CHECK("tagged", d[1], 2 * x[1] * x[0] * x[0]);
  CHECK("tagged forward", __enzyme_fwddiff((void *)tagged, x, t), d[0] * t[0] + d[1] * t[1]);
  d[0] = d[1] = 0;
  __enzyme_autodiff((void *)listed, x, d); // 2 x0^2 + x1^2
  CHECK("listed", d[0], 4 * x[0]);
  CHECK("listed", d[1], 2 * x[1]);
  CHECK("listed forward", __enzyme_fwddiff((void *)listed, x, t), d[0] * t[0] + d[1] * t[1]);
  return finish();
}
