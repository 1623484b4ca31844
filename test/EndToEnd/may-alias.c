// Records that may alias anything, passed by value: the plugin gives members of records names in alias
// metadata, but not to these. The program around a gradient computes what it does without the plugin.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2 --keep=plan %s
#include "check.h"
#define APART __attribute__((noinline))

typedef struct __attribute__((may_alias)) {
  double a, b;
} nameless;
typedef struct named {
  double a, b;
} named;
typedef named alias __attribute__((may_alias));
typedef struct {
  int k;
  nameless s;
  alias t;
} both;

APART static double takeNameless(nameless s) { return s.a + 2 * s.b; }
APART static double takeAlias(alias s) { return s.a + 2 * s.b; }
APART static double takeNamed(const named *s) { return s->a * s->b; }

static const long long one = 0x3ff0000000000000, two = 0x4000000000000000;
APART static double punned(both *p, long long *q, long long *r) {
  double before = takeNameless(p->s) + takeAlias(p->t);
  q[0] = r[1] = one;
  q[1] = r[0] = two;
  return before + 100 * takeNameless(p->s) + 10000 * takeAlias(p->t);
}

static double product(const double *x) {
  named s = {x[0], x[1]};
  return takeNamed(&s);
}

int main(void) {
  both p = {0, {0, 0}, {0, 0}};
  CHECK("numbers that are written as integers", punned(&p, (long long *)&p.s, (long long *)&p.t),
        40500);
  double x[2] = {3, 4}, dx[2] = {0};
  __enzyme_autodiff((void *)product, enzyme_dup, x, dx);
  CHECK("product", dx[0], 4);
  return finish();
}
