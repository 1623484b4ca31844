// Two unions swap places, one with a number and one with an address: each place holds both in
// turn, and the adjoint of the number was followed as an address.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
struct list;
struct value {
  int isList;
  union {
    double number;
    struct list *list;
  };
};
struct list {
  int n;
  struct value v[6];
};
static double total(const struct value *v) {
  double sum = 0;
  if (!v->isList)
    return v->number;
  for (int i = 0; i < v->list->n; i++)
    sum += total(&v->list->v[i]) * (i + 1);
  return sum;
}
double f(const double *x) {
  struct list inner = {0}, outer = {0};
  inner.n = 1, outer.n = 2;
  inner.v[0].number = x[0] * x[0];
  outer.v[0].isList = 1, outer.v[0].list = &inner;
  outer.v[1].number = x[0];
  struct value t = outer.v[0];
  outer.v[0] = outer.v[1];
  outer.v[1] = t;
  struct value root = {1, {.list = &outer}};
  return total(&root);
}
int main(void) {
  double x = 1.3, d = 0;
  __enzyme_autodiff((void *)f, enzyme_dup, &x, &d);
  CHECK("swapped", d, 1 + 4 * x); // x + 2 x^2
  return finish();
}
