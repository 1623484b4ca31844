// Names that are looked up by a view of a text, and classes with vectors of flags beside vectors of numbers.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-Os,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <map>
#include <string>
#include <string_view>
#include <vector>

using Names = std::map<std::string, double, std::less<>>;
static double term(std::string_view &text, const Names &names) {
  double product = 1;
  for (bool more = true; more; text.remove_prefix(more)) {
    std::size_t length = text.find_first_of("*+");
    if (auto found = names.find(text.substr(0, length)); found != names.end())
      product *= found->second;
    text.remove_prefix(length == text.npos ? text.size() : length);
    more = !text.empty() && text.front() == '*';
  }
  return product;
}
static double parsed(const double *in, int n) {
  Names names;
  for (int i = 0; i < n; i++)
    names.emplace("name" + std::to_string(i), in[i]);
  std::string formula = "name0*name1+name2*name2*name0+name5+other*name3";
  double sum = 0;
  for (std::string_view text = formula; !text.empty(); text.remove_prefix(text.empty() ? 0 : 1))
    sum = sin(sum) + term(text, names);
  return sum;
}

struct Series {
  std::vector<double> values;
  std::vector<bool> rises;
  std::vector<int> places;
};
static double add(Series &to, double value) {
  to.rises.push_back(!to.values.empty() && value > to.values.back());
  to.values.push_back(value);
  to.places.push_back(int(to.rises.size()));
  return to.rises.back() ? value * value : value * to.values[0];
}
static double series(const double *in, int n) {
  std::vector<Series> all(2);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += add(all[i % 2], in[i]);
  all.push_back(all[0]);
  for (int i = 0; i < n; i++)
    sum += add(all[i % 3], sin(in[i] * sum)) * (all[2].rises[1] ? 2 : all[2].places[0]);
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, parsed, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, series, 6, x, t, 6);
  return finish();
}
