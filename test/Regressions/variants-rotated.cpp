// A copy of a variant is one of nine bytes: a word and the number of the member. So far as types
// know the words at single places, they are addresses: the derivatives of numbers that variants
// bring there were lost.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2 --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <cstdint>
#include <variant>
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

using item = std::variant<double, std::uint64_t, double *>;

static double rotated(double *x) {
  item items[4];
  for (int i = 0; i < 4; i++)
    if (i == 0)
      items[i] = x[0];
    else if (i == 1)
      items[i] = std::uint64_t(x + 1);
    else if (i == 2)
      items[i] = x + 2;
    else
      items[i] = x[3] * x[3];
  item first = items[0];
  items[0] = items[1];
  items[1] = items[2];
  items[2] = first;
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    const item &one = items[i];
    sum += (i + 1) * (one.index() == 0   ? std::get<0>(one) * x[1]
                      : one.index() == 1 ? *(double *)std::get<1>(one) * x[0]
                                         : *std::get<2>(one) * x[2]);
  }
  return sum;
}

int main() {
  double x[4] = {0.3, 0.9, -0.4, 0.7}, dx[4] = {0};
  __enzyme_autodiff((void *)rotated, enzyme_dup, x, dx);
  for (int i = 0; i < 4; i++)
    CHECK_AT("rotated", i, dx[i], SLOPE_WITHIN(1e-4, x[i], rotated(x)));
  return finish();
}
