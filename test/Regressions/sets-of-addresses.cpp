// A hash table whose keys are addresses of differentiated objects: the hash of a key is the key, as
// an integer, which functions that are not inlined only divide by the number of buckets.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2,-O3 --keep plan --plugin %plugin --clang %clang_bin --flag=-std=c++20 --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <memory>
#include <unordered_set>
#include <vector>

struct node {
  double value, adjoint = 0;
  std::vector<std::shared_ptr<node>> from;
};
using handle = std::shared_ptr<node>;

static handle product(handle a, handle b) {
  auto r = std::make_shared<node>();
  r->value = a->value * b->value;
  r->from = {a, b};
  return r;
}
static void sort(const handle &n, std::unordered_set<node *> &seen, std::vector<node *> &order) {
  if (!seen.insert(n.get()).second)
    return;
  for (const handle &f : n->from)
    sort(f, seen, order);
  order.push_back(n.get());
}
// The squares of the gradient of x y x, by a graph that the function builds.
static double squares(const double *x) {
  std::vector<handle> leaves;
  for (int i = 0; i < 2; ++i) {
    leaves.push_back(std::make_shared<node>());
    leaves[i]->value = x[i];
  }
  handle root = product(product(leaves[0], leaves[1]), leaves[0]);
  std::unordered_set<node *> seen;
  std::vector<node *> order;
  sort(root, seen, order);
  root->adjoint = 1;
  for (auto n = order.rbegin(); n != order.rend(); ++n)
    if (!(*n)->from.empty())
      for (int i = 0; i < 2; ++i)
        (*n)->from[i]->adjoint += (*n)->adjoint * (*n)->from[1 - i]->value;
  double sum = 0;
  for (const handle &l : leaves)
    sum += l->adjoint * l->adjoint;
  return sum;
}

int main() {
  double x[2] = {0.7, 1.3}, d[2] = {};
  __enzyme_autodiff<void>((void *)squares, x, d);
  for (int i = 0; i < 2; ++i)
    CHECK_AT("squares", i, d[i], SLOPE(x[i], squares(x)));
  return finish();
}
