// Strings beside numbers: where LLVM had inlined the destructor of a string and not what makes
// it longer, the derivative released an address inside a shadow.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2,-O3 --keep plan --flag=-std=c++20 --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <string>
#include <utility>
#include <vector>
struct Material {
  std::string name;
  double density;
};
static double paired(const double *x) {
  std::pair<std::string, double> p(std::string(1, 'a') + "nother name that is long enough", x[0] * x[1]);
  return p.second * x[0];
}
static double listed(const double *x) {
  std::vector<Material> all;
  for (int i = 0; i < 3; i++)
    all.push_back({"a material of which there are several", x[i] * x[i]});
  double sum = 0;
  for (const Material &m : all)
    sum += m.density * m.density;
  return sum;
}
int main() {
  double x[3] = {0.7, 1.3, -0.4}, d[3] = {0}, e[3] = {0}, t[3] = {0.2, -1.1, 0.6};
  __enzyme_autodiff<void>((void *)paired, x, d);
  checkWithin("paired", 0, d[0], 2 * x[0] * x[1], 1e-14, 1e-14);
  checkWithin("paired", 1, d[1], x[0] * x[0], 1e-14, 1e-14);
  __enzyme_autodiff<void>((void *)listed, x, e);
  double slope = 0;
  for (int i = 0; i < 3; i++) {
    double expected = 4 * x[i] * x[i] * x[i];
    checkWithin("listed", i, e[i], expected, 1e-14, 1e-14);
    slope += expected * t[i];
  }
  checkWithin("listed, forward", 0, __enzyme_fwddiff<double>((void *)listed, x, t), slope, 1e-14, 1e-14);
  return finish();
}
