// A tree of classes with virtual functions, one of them with a string, behind shared pointers; with -g, too.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan --flag=-std=c++20 %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2 --keep plan --flag=-std=c++20 --flag=-g %s
#include "check.h"
#include <memory>
#include <string>

struct Expression {
  virtual double value(double x) const = 0;
  virtual ~Expression() = default;
};
using Node = std::shared_ptr<Expression>;

struct Number : Expression {
  double number;
  explicit Number(double number) : number(number) {}
  double value(double) const override { return number; }
};

struct Variable : Expression {
  std::string name;
  explicit Variable(std::string name) : name(std::move(name)) {}
  double value(double x) const override { return name == "x" ? x : 2 * x; }
};

struct Binary : Expression {
  char op;
  Node left, right;
  Binary(char op, Node left, Node right) : op(op), left(left), right(right) {}
  double value(double x) const override {
    double a = left->value(x), b = right->value(x);
    return op == '+' ? a + b : a * b;
  }
};

static double tree(const double *in, int) {
  Node x = std::make_shared<Variable>("x"), y = std::make_shared<Variable>("a name that is too long to be kept inside");
  Node sum = std::make_shared<Binary>('+', std::make_shared<Binary>('*', x, std::make_shared<Number>(in[0])), y);
  return std::make_shared<Binary>('*', sum, std::make_shared<Number>(in[1]))->value(in[2]);
}

int main() {
  double x[3], t[3];
  fill(x, 3, 3, 0.2, 1.2);
  fill(t, 3, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, tree, 3, x, t, 3);
  return finish();
}
