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


int main() {
  double x[5], t[5];
  fill(x, 5, 3, -1, 1);
  fill(t, 5, 4, -1, 1);
  CHECK_FUNCTION(sized, 5, x, t, 5);
  CHECK_FUNCTION(rows, 5, x, t, 5);
  CHECK_FUNCTION(owned, 5, x, t, 5);
  std::vector<double> v(x, x + 5), dv(5);
  __enzyme_autodiff<void>((void *)passed, enzyme_dup, &v, &dv);
  for (int i = 0; i < 5; ++i)
    CHECK_AT("passed", i, dv[i], SLOPE(v[i], passed(v)));
  return finish();
}
