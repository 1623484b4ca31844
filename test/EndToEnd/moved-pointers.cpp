// A list and a tree of std::unique_ptr: the optimiser moves its pointers as integers; a place in
// the tree is that of the root or of a child, by its address.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <memory>

struct Node {
  double value;
  std::unique_ptr<Node> next;
};
double owners(const double *x, int n) {
  std::unique_ptr<Node> list;
  for (int i = 0; i < n; i++) {
    std::unique_ptr<Node> node(new Node{x[i] * x[i], std::move(list)});
    list = std::move(node);
  }
  double sum = 0, factor = 1;
  for (const Node *p = list.get(); p; p = p->next.get(), factor *= x[0])
    sum += p->value * factor;
  return sum;
}

struct Tree {
  struct Node {
    double value;
    std::unique_ptr<Node> less, more;
  };
  std::unique_ptr<Node> root;
  void insert(double value) {
    auto *place = &root;
    while (*place)
      place = value < (*place)->value ? &(*place)->less : &(*place)->more;
    *place = std::make_unique<Node>(Node{value, nullptr, nullptr});
  }
};
static double weighted(const Tree::Node *n, int depth) {
  return n ? n->value * n->value * depth + weighted(n->less.get(), depth + 1) + weighted(n->more.get(), depth + 1) : 0;
}
double sorted(const double *x, int n) {
  Tree tree;
  for (int i = 0; i < n; i++)
    tree.insert(x[i]);
  return weighted(tree.root.get(), 1);
}

int main() {
  double x[7], t[7], d[7] = {};
  fill(x, 7, 1, -1, 1);
  fill(t, 7, 2, -1, 1);
  __enzyme_autodiff<void>((void *)owners, x, d, 7);
  CHECK_SLOPES("x", 7, x, d, owners(x, 7));
  CHECK_FORWARD("owners", __enzyme_fwddiff<double>((void *)owners, x, t, 7), 7, t, d);
  CHECK_FUNCTION_WITHIN(1e-4, sorted, 7, x, t, 7);
  return finish();
}
