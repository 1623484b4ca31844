// C++: a std::vector that grows by push_back while it is filled.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <vector>

double growing(const double *x, int n) {
  std::vector<double> kept;
  for (int i = 0; i < n; ++i)
    if (x[i] > 0)
      kept.push_back(x[i] * x[i]);
  double sum = 0;
  for (std::size_t i = 0; i < kept.size(); ++i)
    sum += kept[i] * kept[kept.size() - 1 - i];
  return sum;
}

int main() {
  double x[9], t[9], dx[9] = {};
  fill(x, 9, 3, -0.5, 1);
  fill(t, 9, 4, -1, 1);
  __enzyme_autodiff<void>((void *)growing, enzyme_dup, x, dx, enzyme_const, 9);
  for (int i = 0; i < 9; ++i)
    CHECK_AT("growing", i, dx[i], SLOPE(x[i], growing(x, 9)));
  CHECK("jvp", __enzyme_fwddiff<double>((void *)growing, enzyme_dup, x, t, enzyme_const, 9),
        innerProduct(t, dx, 9));
  return finish();
}
