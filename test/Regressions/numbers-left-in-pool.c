// Nodes in a global variable that hold addresses or a number. What an earlier call left there is
// taken over as addresses of the derivative's own; a number among it went into the gradient.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1,-O2 --keep=plan --flag=-I%S/../EndToEnd %s
#include "check.h"
typedef struct node {
  enum { Number, Variable, Sum, Product } kind;
  union {
    struct {
      struct node *left, *right;
    } of;
    double number;
    float small;
    int variable;
  };
} node;
static node pool[16];
static int used;
static node *make(int kind) {
  node *n = &pool[used++];
  n->kind = kind;
  return n;
}
static node *join(int kind, node *left, node *right) {
  node *n = make(kind);
  n->of.left = left;
  n->of.right = right;
  return n;
}
static node *number(double value) {
  node *n = make(Number);
  n->number = value;
  return n;
}
static node *variable(int i) {
  node *n = make(Variable);
  n->variable = i;
  return n;
}
static double eval(const node *n, const double *x) {
  switch (n->kind) {
  case Number:
    return n->number;
  case Variable:
    return x[n->variable];
  case Sum:
    return eval(n->of.left, x) + eval(n->of.right, x);
  default:
    return eval(n->of.left, x) * eval(n->of.right, x);
  }
}
double built(const double *x) {
  used = 0;
  node *a = join(Product, variable(0), variable(1)), *b = join(Sum, a, number(x[2] * x[2]));
  return eval(join(Product, b, join(Sum, a, number(x[0]))), x);
}
static struct {
  union {
    float *place;
    float value;
  };
} cells[3];
double kept(const double *x) {
  float y = x[2];
  cells[0].value = x[0];
  cells[1].value = x[0] * x[1];
  cells[2].place = &y;
  return cells[0].value * cells[1].value * *cells[2].place;
}
// The number comes first, and addresses are left by an earlier call.
typedef struct cell {
  union {
    double number;
    struct cell *next;
  };
  int isLink;
} cell;
static cell store[8];
static int linked;
static double found(const cell *c) {
  while (c->isLink)
    c = c->next;
  return c->number;
}
double followed(const double *x) {
  if (!linked) {
    store[5] = (cell){.next = &store[2], .isLink = 1};
    store[6] = (cell){.next = &store[5], .isLink = 1};
    linked = 1;
  }
  store[2].number = x[0] * x[1];
  store[3].number = x[2];
  return found(&store[6]) * found(&store[3]) + found(&store[5]);
}
int main(void) {
  double x[3] = {1.5, -0.7, 0.4}, t[3] = {0.5, 2, -1}, d[3] = {0};
  built(x);
  CHECK_FUNCTION(built, 3, x, t);
  followed(x);
  CHECK_FUNCTION(followed, 3, x, t);
  x[0] = 1.25, x[1] = 0.75, x[2] = -0.5;
  for (int again = 0; again < 2; again++) {
    memset(d, 0, sizeof d);
    kept(x);
    __enzyme_autodiff((void *)kept, x, d);
    CHECK("kept 0", d[0], 2 * x[0] * x[1] * x[2]);
    CHECK("kept 1", d[1], x[0] * x[0] * x[2]);
    CHECK("kept 2", d[2], x[0] * x[0] * x[1]);
  }
  return finish();
}
