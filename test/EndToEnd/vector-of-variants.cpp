// A vector of variants of different sizes: behind the number of the alternative is padding, which grows with the
// vector from one block into another.
// UNSUPPORTED: memcheck-asan
// (What -fsanitize=undefined adds takes addresses of the variants, which are an error then: IZ203.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-Os,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <array>
#include <utility>
#include <variant>
#include <vector>

static double either(const double *in, int n) {
  using Either = std::variant<double, std::pair<double, double>, std::array<double, 3>>;
  std::vector<Either> all;
  for (int i = 0; i < 2 * n; i++) {
    double p = in[i % n];
    if (i % 3 == 0)
      all.push_back(p);
    else if (i % 3 == 1)
      all.push_back(std::make_pair(p, p * in[0]));
    else
      all.push_back(std::array<double, 3>{p, p * p, in[1]});
  }
  double sum = 0;
  for (const Either &item : all) {
    if (auto *one = std::get_if<0>(&item))
      sum += *one;
    else if (auto *two = std::get_if<1>(&item))
      sum += two->first * two->second;
    else
      sum *= std::get<2>(item)[1];
    sum = sin(sum);
  }
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, either, 6, x, t, 6);
  return finish();
}
