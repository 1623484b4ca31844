// A tree of classes that a parser makes from text: one holds a number, one a string, and one a character of the text
// that was parsed, at the same place in their objects. The functions of std::string are calls here.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <map>
#include <memory>
#include <string>

using Values = std::map<std::string, double>;
struct Node {
  virtual ~Node() = default;
  virtual double value(const Values &of) const = 0;
};
using Tree = std::unique_ptr<Node>;
struct Number : Node {
  double number;
  explicit Number(double number) : number(number) {}
  double value(const Values &) const override { return number; }
};
struct Variable : Node {
  std::string name;
  explicit Variable(std::string name) : name(std::move(name)) {}
  double value(const Values &of) const override { return of.at(name); }
};
struct Binary : Node {
  char op;
  Tree left, right;
  Binary(char op, Tree left, Tree right) : op(op), left(std::move(left)), right(std::move(right)) {}
  double value(const Values &of) const override {
    double a = left->value(of), b = right->value(of);
    switch (op) {
    case '+':
      return a + b;
    case '*':
      return a * b;
    default:
      return pow(a, b);
    }
  }
};

static Tree parse(const std::string &text, size_t &at) {
  if (text[at] == '(') {
    at++;
    auto left = parse(text, at);
    char op = text[at++];
    auto right = parse(text, at);
    at++;
    return std::make_unique<Binary>(op, std::move(left), std::move(right));
  }
  if (isdigit(text[at])) {
    size_t length;
    double number = std::stod(text.substr(at), &length);
    at += length;
    return std::make_unique<Number>(number);
  }
  return std::make_unique<Variable>(std::string(1, text[at++]));
}
static double parsed(const double *in, int) {
  size_t at = 0;
  Tree tree = parse("((x*y)+(z^2.5))", at);
  return tree->value({{"x", in[0]}, {"y", in[1]}, {"z", in[2]}});
}

// Without numbers in the tree.
struct Term {
  virtual ~Term() = default;
  virtual double value(double x) const = 0;
};
struct Letter : Term {
  std::string name;
  explicit Letter(std::string name) : name(std::move(name)) {}
  double value(double x) const override { return name == "x" ? x : 2 * x; }
};
struct Pair : Term {
  char op;
  std::unique_ptr<Term> left, right;
  Pair(char op, std::unique_ptr<Term> left, std::unique_ptr<Term> right)
      : op(op), left(std::move(left)), right(std::move(right)) {}
  double value(double x) const override {
    double a = left->value(x), b = right->value(x);
    return op == '+' ? a + b : a * b;
  }
};
static std::unique_ptr<Term> parseTerm(const char *text, size_t &at) {
  if (text[at] == '(') {
    at++;
    auto left = parseTerm(text, at);
    char op = text[at++];
    auto right = parseTerm(text, at);
    at++;
    return std::make_unique<Pair>(op, std::move(left), std::move(right));
  }
  return std::make_unique<Letter>(std::string(1, text[at++]));
}
static double letters(const double *in, int) {
  size_t at = 0;
  auto term = parseTerm("((x*y)+(x*x))", at);
  return term->value(in[0]) * term->value(in[1]);
}

int main() {
  double x[3], t[3];
  fill(x, 3, 3, 0.2, 1.2);
  fill(t, 3, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, parsed, 3, x, t, 3);
  CHECK_FUNCTION_WITHIN(1e-4, letters, 3, x, t, 3);
  return finish();
}
