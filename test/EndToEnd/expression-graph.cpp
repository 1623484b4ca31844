// A program that computes gradients by hand, on a graph of shared records, is differentiated itself. Each record is set to
// zero when it is made, and where that happens nobody knows yet what some of its bytes will hold.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <memory>
#include <set>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

struct Variable;
using Reference = std::shared_ptr<Variable>;

struct Variable {
  double value = 0, adjoint = 0;
  std::vector<Reference> operands;
  bool isProduct = false;
};

static Reference leaf(double value) {
  Reference made = std::make_shared<Variable>();
  made->value = value;
  return made;
}

static Reference combine(Reference a, Reference b, bool isProduct) {
  Reference made = leaf(isProduct ? a->value * b->value : a->value + b->value);
  made->operands = {a, b};
  made->isProduct = isProduct;
  return made;
}

static void order(const Reference &at, std::set<Variable *> &seen, std::vector<Reference> &ordered) {
  if (!seen.insert(at.get()).second)
    return;
  for (const Reference &operand : at->operands)
    order(operand, seen, ordered);
  ordered.push_back(at);
}

/* The square of the length of the gradient of ((x0 + 1) x0 + x1) x1 + ... */
static double steepness(const double *x, int n) {
  Reference sum = leaf(1);
  std::vector<Reference> leaves;
  for (int i = 0; i < n; i++) {
    leaves.push_back(leaf(x[i]));
    sum = combine(combine(sum, leaves.back(), true), leaves.back(), false);
  }
  std::set<Variable *> seen;
  std::vector<Reference> ordered;
  order(sum, seen, ordered);
  sum->adjoint = 1;
  for (size_t i = ordered.size(); i-- > 0;) {
    const Variable &at = *ordered[i];
    if (at.operands.empty())
      continue;
    Variable &a = *at.operands[0], &b = *at.operands[1];
    a.adjoint += at.isProduct ? at.adjoint * b.value : at.adjoint;
    b.adjoint += at.isProduct ? at.adjoint * a.value : at.adjoint;
  }
  double square = 0;
  for (const Reference &at : leaves)
    square += at->adjoint * at->adjoint;
  return square;
}

int main() {
  enum { N = 5 };
  double x[N] = {0.3, 1.1, -0.7, 0.9, 1.4}, dx[N] = {};
  __enzyme_autodiff((void *)steepness, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i++)
    CHECK_AT("slope of the steepness", i, dx[i], SLOPE(x[i], steepness(x, N)));
  return finish();
}
