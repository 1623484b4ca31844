// Variants and std::any of numbers and integers, beside strings, addresses and vectors: the code of the library that
// copies and swaps them moves an integer where a number is at other times.
// (The checkers of memory build with -g, where it is an error to swap such variants: IZ202.)
// UNSUPPORTED: memcheck-asan, memcheck-msan, memcheck-valgrind
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-O2,-Os/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <any>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using Setting = std::variant<double, int, bool, std::string, std::vector<double>>;
static Setting setting(const double *in, int i) {
  switch (i % 5) {
  case 0:
    return in[i];
  case 1:
    return i;
  case 2:
    return in[i] > 0;
  case 3:
    return std::string(i, 'c');
  default:
    return std::vector<double>(in, in + 2);
  }
}
static double settings(const double *in, int n) {
  std::map<std::string, Setting> named;
  std::vector<Setting> listed;
  for (int i = 0; i < n; i++) {
    named[std::to_string(i)] = setting(in, i);
    listed.push_back(setting(in, n - 1 - i));
  }
  std::swap(named["1"], named["0"]);
  std::swap(listed[0], listed[2]);
  for (auto &[name, value] : named)
    listed.push_back(value);
  double sum = 1;
  for (const Setting &s : listed)
    if (auto *number = std::get_if<double>(&s))
      sum = sin(sum * *number);
    else if (auto *count = std::get_if<int>(&s))
      sum += *count;
    else if (auto *flag = std::get_if<bool>(&s))
      sum *= *flag ? 0.5 : 0.25;
    else if (auto *text = std::get_if<std::string>(&s))
      sum += 0.1 * double(text->size());
    else
      sum += std::get<std::vector<double>>(s)[1] * sum;
  return sum;
}

struct Term;
using Operand = std::variant<double, int, std::unique_ptr<Term>>;
struct Term {
  char sign;
  Operand left, right;
};
static Operand term(char sign, Operand left, Operand right) {
  auto made = std::make_unique<Term>();
  made->sign = sign;
  made->left = std::move(left);
  made->right = std::move(right);
  return made;
}
static double evaluated(const Operand &of, const double *in) {
  if (auto *number = std::get_if<double>(&of))
    return *number;
  if (auto *index = std::get_if<int>(&of))
    return in[*index];
  const Term &t = *std::get<std::unique_ptr<Term>>(of);
  double a = evaluated(t.left, in), b = evaluated(t.right, in);
  return t.sign == '+' ? a + b : t.sign == '*' ? a * b : a - sin(b);
}
static double terms(const double *in, int n) {
  Operand tree = term('+', term('*', n - 1, in[1]), term('-', 2.5, term('*', 3, in[0] * in[2])));
  return evaluated(tree, in) * evaluated(tree, in);
}

static double anything(const double *in, int n) {
  std::map<std::string, std::any> items;
  items["rate"] = in[0] * in[1];
  items["count"] = n;
  items["offset"] = in[n - 1];
  std::map<std::string, std::any> copy = items;
  double sum = std::any_cast<double>(copy["offset"]);
  for (int i = 0; i < std::any_cast<int>(items["count"]); i++)
    sum += exp(-std::any_cast<double>(copy["rate"]) * in[i]);
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, settings, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, terms, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, anything, 6, x, t, 6);
  return finish();
}
