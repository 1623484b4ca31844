// A tree by values: a leaf holds a number where another value holds the address of a node. What
// a place holds is decided when the program runs, and the gradient lacked the leaves. Words in memory tell what they
// are. At -O2 items lie at several distances in what is known of nodes, so that parts of words may be floats.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1 --flag=-DBACKWARDS --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O2 -g -DBACKWARDS -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -fno-strict-aliasing -DBACKWARDS -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: what is moved here may be a differentiated float, or else an address or an integer; move it by the type that it has, where that is known, or use forward mode, which works for either [IZ202]
#include "check.h"
#define APART __attribute__((noinline))
struct node;
typedef struct {
  int isNode;
  union {
    struct node *node;
    double leaf;
  } u;
} item;
struct node {
  char op;
  item left, right;
};
static APART double eval(const item *i) {
  if (!i->isNode)
    return i->u.leaf;
  double a = eval(&i->u.node->left), b = eval(&i->u.node->right);
  return i->u.node->op == '+' ? a + b : a * b;
}
static APART item leaf(double x) {
  item i = {0};
  i.u.leaf = x;
  return i;
}
static APART item join(struct node *n, char op, item a, item b) {
  item i = {1};
  n->op = op, n->left = a, n->right = b;
  i.u.node = n;
  return i;
}
double tree(const double *x) {
  struct node nodes[2];
  item inner = join(nodes, '+', leaf(x[0]), leaf(x[1]));
  item root = join(nodes + 1, '*', leaf(x[0] * x[1]), inner);
  return eval(&root);
}

int main(void) {
  double x[2] = {1.5, -0.5}, t[2] = {1, -2};
  // x y (x + y)
  CHECK("tree", __enzyme_fwddiff((void *)tree, x, t),
        (2 * x[0] * x[1] + x[1] * x[1]) * t[0] + (x[0] * x[0] + 2 * x[0] * x[1]) * t[1]);
#ifdef BACKWARDS
  double d[2] = {};
  __enzyme_autodiff((void *)tree, x, d);
  CHECK("by x", d[0], 2 * x[0] * x[1] + x[1] * x[1]);
  CHECK("by y", d[1], x[0] * x[0] + 2 * x[0] * x[1]);
#endif
  return finish();
}
