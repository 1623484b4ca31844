// A shadow with fewer elements than the constant vector that a function refers to ends the program with the line
// of the call, in either mode and in every lane, before anything is written behind the elements.
// RUN: %clangxx -std=c++20 -O0 -Rpass=no-pass %s -o %t
// RUN: %t | FileCheck %s --check-prefix=FINE
// RUN: not --crash %t empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not --crash %t rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not --crash %t lane 2>&1 | FileCheck %s --check-prefix=LANE
// RUN: not --crash %t inner 2>&1 | FileCheck %s --check-prefix=INNER
// RUN: %clangxx -std=c++20 -O2 -Rpass=no-pass %s -o %t
// RUN: %t | FileCheck %s --check-prefix=FINE
// RUN: not --crash %t empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not --crash %t rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not --crash %t lane 2>&1 | FileCheck %s --check-prefix=LANE
// RUN: not --crash %t inner 2>&1 | FileCheck %s --check-prefix=INNER
#include <cstdio>
#include <cstring>
#include <isozyme/isozyme.h>
#include <vector>
template <class... A> double __enzyme_autodiff(void *, A...);
template <class R, class... A> R __enzyme_fwddiff(void *, A...);

using Vector = std::vector<double>;
double norm(const Vector &x, const std::vector<int> &weights) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); i++)
    sum += weights[i] * x[i] * x[i];
  return sum;
}
double total(const std::vector<Vector> *rows) {
  double sum = 0;
  for (const Vector &row : *rows)
    for (double v : row)
      sum += v * v * v;
  return sum;
}
double volume(const std::vector<std::vector<Vector>> &cube) {
  double sum = 0;
  for (const auto &rows : cube)
    for (const Vector &row : rows)
      for (double v : row)
        sum += v * v;
  return sum;
}
void move(const Vector &x, Vector &y) {
  Vector z(x);
  z.push_back(x[0] * x[1]);
  y = std::move(z);
}
double slope(const Vector &x) {
  Vector dx(x.size());
  std::vector<int> weights(x.size(), 1);
  __enzyme_autodiff((void *)norm, enzyme_dup, &x, &dx, enzyme_const, &weights);
  return dx[0] * dx[0] + dx.back();
}
struct two {
  double a, b;
};

int main(int count, char **words) {
  const char *word = count > 1 ? words[1] : "";
  auto is = [&](const char *wanted) { return !std::strcmp(word, wanted); };
  Vector x{1, 2}, dx(is("empty") ? 0 : 2), other{1, is("lane") ? 1.0 : 0.0};
  std::vector<int> weights{1, 2}, none;
  // EMPTY: isozyme: {{.*}}vector-sizes.cpp:[[@LINE+1]]: the shadow of argument 1 {{.*}}of 'norm(std::vector{{.*}})' has fewer elements than the argument; give it as many [IZ309]
  __enzyme_autodiff((void *)norm, enzyme_dup, &x, &dx, enzyme_dup, &weights, &none);
  // FINE: 2 8
  std::printf("%g %g\n", dx[0], dx[1]);
  std::vector<Vector> rows{{1, 2}, {3}}, drows{{0, 0}};
  if (!is("rows"))
    drows.push_back({0});
  // ROWS: isozyme: {{.*}}vector-sizes.cpp:[[@LINE+1]]: the shadow of argument 1 {{.*}}of 'total(std::vector{{.*}} const*)' has fewer
  __enzyme_autodiff((void *)total, enzyme_dup, &rows, &drows);
  // FINE: 3 12 27
  std::printf("%g %g %g\n", drows[0][0], drows[0][1], drows[1][0]);
  // Vectors in vectors are compared, too, at any depth.
  std::vector<std::vector<Vector>> cube{{{1, 2}, {3}}, {{}, {4}}}, dcube{{{0, 0}, {0}}, {{}, {0}}};
  if (is("inner"))
    dcube[1][1].clear();
  // INNER: isozyme: {{.*}}vector-sizes.cpp:[[@LINE+1]]: a vector in the shadow of argument 1 {{.*}}of 'volume(std::vector{{.*}} const&)' has fewer elements than its counterpart in the argument; give it as many [IZ309]
  __enzyme_autodiff((void *)volume, enzyme_dup, &cube, &dcube);
  // FINE: 2 6 8
  std::printf("%g %g %g\n", dcube[0][0][0], dcube[0][1][0], dcube[1][1][0]);
  Vector along{1, 1};
  if (is("lane"))
    other.pop_back();
  // LANE: isozyme: {{.*}}vector-sizes.cpp:[[@LINE+1]]: the shadow of argument 1 {{.*}}of 'norm(std::vector{{.*}})' has fewer
  two lanes = __enzyme_fwddiff<two>((void *)norm, enzyme_width, 2, enzyme_dup, &x, &along, &other, enzyme_const, &weights);
  // FINE: 10 2
  std::printf("%g %g\n", lanes.a, lanes.b);
  // What the function gives elements to needs none before.
  Vector y(1);
  {
    Vector from{1, 1}, into;
    __enzyme_fwddiff<void>((void *)move, enzyme_dup, &x, &from, enzyme_dup, &y, &into);
    // FINE: 1 1 3
    std::printf("%g %g %g\n", into[0], into[1], into[2]);
  }
  // dx = 2 x, so the slope is 4 x[0]^2 + 2 x[1].
  Vector d2x(2);
  __enzyme_autodiff((void *)slope, enzyme_dup, &x, &d2x);
  // FINE: 8 2
  std::printf("%g %g\n", d2x[0], d2x[1]);
}
