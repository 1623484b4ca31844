// C++: std::vector and std::unique_ptr inside the differentiated function.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <memory>
#include <vector>

double sized(const double *x, int n) {
  std::vector<double> y(n), z(n, 0.5);
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    z[i] += y[n - 1 - i] * y[i];
  double sum = 0;
  for (double v : z)
    sum += std::sin(v);
  return sum;
}
double rows(const double *x, int n) {
  std::vector<std::vector<double>> m(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      m[i][j] = x[i] + x[j] * x[j];
  double sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += m[i][j] * m[j][i];
  return sum;
}
double owned(const double *x, int n) {
  auto y = std::make_unique<double[]>(n);
  for (int i = 0; i < n; ++i)
    y[i] = std::exp(x[i]);
  auto total = std::make_unique<double>(0.0);
  for (int i = 0; i + 1 < n; ++i)
    *total += y[i] * y[i + 1];
  return *total;
}
double passed(const std::vector<double> &x) {
  double sum = 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum = sum * x[i] + 0.25;
  return sum;
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double dx[5] = {};                                                                             \
    __enzyme_autodiff<void>((void *)F, enzyme_dup, x, dx, enzyme_const, 5);                        \
    for (int i = 0; i < 5; ++i)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE(x[i], F(x, 5)));                                                \
    CHECK(#F " jvp", __enzyme_fwddiff<double>((void *)F, enzyme_dup, x, t, enzyme_const, 5),       \
          innerProduct(t, dx, 5));                                                                 \
  } while (0)

int main() {
  double x[5], t[5];
  fill(x, 5, 3, -1, 1);
  fill(t, 5, 4, -1, 1);
  TEST(sized);
  TEST(rows);
  TEST(owned);
  std::vector<double> v(x, x + 5), dv(5);
  __enzyme_autodiff<void>((void *)passed, enzyme_dup, &v, &dv);
  for (int i = 0; i < 5; ++i)
    CHECK_AT("passed", i, dv[i], SLOPE(v[i], passed(v)));
  return finish();
}
