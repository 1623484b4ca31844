// A list of std::unique_ptr: the optimiser moves its pointers as integers.
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

int main() {
  double x[7], t[7], d[7] = {};
  fill(x, 7, 1, -1, 1);
  fill(t, 7, 2, -1, 1);
  __enzyme_autodiff<void>((void *)owners, x, d, 7);
  CHECK_SLOPES("x", 7, x, d, owners(x, 7));
  CHECK_FORWARD("owners", __enzyme_fwddiff<double>((void *)owners, x, t, 7), 7, t, d);
  return finish();
}
