// A union whose first member is a double is a double to LLVM, also where it is only moved and holds
// an address: the shadow of the address stayed behind, so that the derivative went to the numbers
// that other addresses lead to. Without tags (-O0, -fno-strict-aliasing), nothing names it a union.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2,-O3 --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2,-O3 --keep plan --plugin %plugin --clang %clang_bin --flag=-fno-strict-aliasing --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <utility>
#include <vector>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

union word {
  double number;
  double *address;
  long index;
};

static double swapped(double *x, const int *order) {
  std::vector<word> words(4);
  for (int i = 0; i < 4; i++)
    if (i & 1)
      words[i].address = x + i;
    else
      words[i].number = x[i];
  auto copy = words;
  std::swap(copy[0], copy[2]);
  std::swap(copy[1], copy[order[0] + 1]);
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * (i & 1 ? *copy[i].address * x[0] : copy[i].number * x[1]);
  return sum;
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double dx[4] = {0};                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_const, order);                          \
    for (int i = 0; i < 4; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE_WITHIN(1e-4, x[i], F(x, order)));                               \
  } while (0)

int main() {
  double x[4] = {0.3, 0.9, -0.4, 0.7};
  int order[4] = {2, 0, 3, 1};
  TEST(swapped);
  return finish();
}
