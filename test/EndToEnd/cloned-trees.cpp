// Trees of shared_ptrs to nodes of several classes, which clone themselves: in the place of the number of one class,
// others have a character and an integer.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <memory>

struct Node {
  virtual ~Node() = default;
  virtual double eval(const double *x) const = 0;
  virtual std::shared_ptr<Node> clone() const = 0;
};
struct Variable : Node {
  int index;
  explicit Variable(int index) : index(index) {}
  double eval(const double *x) const override { return x[index]; }
  std::shared_ptr<Node> clone() const override { return std::make_shared<Variable>(*this); }
};
struct Constant : Node {
  double value;
  explicit Constant(double value) : value(value) {}
  double eval(const double *) const override { return value; }
  std::shared_ptr<Node> clone() const override { return std::make_shared<Constant>(*this); }
};
struct Operation : Node {
  char kind;
  std::shared_ptr<Node> left, right;
  Operation(char kind, std::shared_ptr<Node> left, std::shared_ptr<Node> right)
      : kind(kind), left(std::move(left)), right(std::move(right)) {}
  double eval(const double *x) const override {
    double a = left->eval(x), b = right->eval(x);
    return kind == '+' ? a + b : a * b;
  }
  std::shared_ptr<Node> clone() const override {
    return std::make_shared<Operation>(kind, left->clone(), right->clone());
  }
};
static double nested(const double *x, int n) {
  std::shared_ptr<Node> tree = std::make_shared<Variable>(0);
  for (int i = 1; i < n; i++)
    tree = std::make_shared<Operation>(
        i % 2 ? '*' : '+', tree->clone(),
        std::make_shared<Operation>('+', std::make_shared<Constant>(x[i] * 2), std::make_shared<Variable>(i)));
  auto copy = tree->clone();
  return tree->eval(x) + copy->eval(x) * x[0];
}
int main() {
  double x[5], t[5];
  fill(x, 5, 3, 0.2, 1.2);
  fill(t, 5, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, nested, 5, x, t, 5);
  return finish();
}
