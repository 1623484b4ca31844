// A tree by values: a leaf holds a number where another value holds the address of a node. What
// a place holds is decided when the program runs, and the gradient lacked the leaves. Forward mode
// moves tangents as it moves shadows; reverse mode cannot tell which of the two it has.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O1 -DBACKWARDS -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -g -DBACKWARDS -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -fno-strict-aliasing -DBACKWARDS -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
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

#ifdef BACKWARDS
// CHECK: error: what is moved here may be a differentiated float, or else an address or an integer; move it by the type that it has, where that is known, or use forward mode, which works for either [IZ202]
void gradient(const double *x, double *d) { __enzyme_autodiff((void *)tree, x, d); }
#endif
int main(void) {
  double x[2] = {1.5, -0.5}, t[2] = {1, -2};
  // x y (x + y)
  CHECK("tree", __enzyme_fwddiff((void *)tree, x, t),
        (2 * x[0] * x[1] + x[1] * x[1]) * t[0] + (x[0] * x[0] + 2 * x[0] * x[1]) * t[1]);
  return finish();
}
