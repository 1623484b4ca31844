// Integers that a reverse half reads from its tape and passes on to others, none of which counts
// with them: the tests and sums that say what they are stay in the forward halves. In second
// derivatives they were taken for bits of floats.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#define APART static __attribute__((noinline))
struct Tree {
  double value;
  struct Tree *left, *right;
};
APART struct Tree *grow(int depth, int kind, double x);
APART struct Tree *sprout(int depth, int kind, double x) {
  return x > 100 ? NULL : grow(depth, kind, x * 1.1 + 0.01 * x * x);
}
APART struct Tree *seedling(int depth, int kind, double x) {
  return x > 100 ? NULL : sprout(depth, kind, x * 1.1 + 0.01 * x * x);
}
APART struct Tree *grow(int depth, int kind, double x) {
  if (depth <= 0)
    return NULL;
  struct Tree *t = malloc(sizeof(struct Tree));
  t->value = sin(x) + kind;
  t->left = seedling(depth - 1, kind + 1, 0.5 * x);
  t->right = grow(depth - 2, kind * 2, x + 0.2);
  return t;
}
APART double fell(struct Tree *t) {
  if (!t)
    return 0.1;
  double sum = 0.3 * fell(t->left) + 0.3 * t->value * fell(t->right) + 0.2 * t->value;
  free(t);
  return sum;
}
double wood(double x, int n) { return fell(grow(n, 0, x)); }
double slope(double x, int n) { return __enzyme_autodiff((void *)wood, x, n); }
int main(void) {
  double x = 0.7;
  for (int n = 0; n < 5; n++) {
    double expected = SLOPE(x, slope(x, n));
    CHECK_AT("first", n, slope(x, n), SLOPE(x, wood(x, n)));
    CHECK_AT("forward", n, __enzyme_fwddiff((void *)slope, x, 1.0, n), expected);
    CHECK_AT("reverse", n, __enzyme_autodiff((void *)slope, x, n), expected);
  }
  return finish();
}
