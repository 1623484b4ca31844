// Some derivatives are made before the link, and others at the link. The helpers of the first get
// smaller parameter lists and other bodies in between, and the second must not call these: memory
// was released by the wrong function, and code behind such a call was lost.
// REQUIRES: lld
// RUN: %preload%isozyme c++ -O1 -flto %s -o %t && %t | FileCheck %s
// RUN: %preload%isozyme c++ -O2 -flto %s -o %t && %t | FileCheck %s
// RUN: %preload%isozyme c++ -O3 -flto %s -o %t && %t | FileCheck %s
// CHECK: 2 4 6
// CHECK-NEXT: -1.5 -2.25 -2.25
// CHECK-NEXT: 1 4 9
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

extern "C" int enzyme_dup, enzyme_const;
extern "C" void __enzyme_autodiff(void *, ...);

double squares(const double *x, int n) {
  std::vector<double> values;
  for (int i = 0; i < n; i++)
    values.push_back(x[i]);
  double sum = 0;
  for (double each : values)
    sum += each * each;
  return sum;
}

struct force {
  virtual double at(double q) const = 0;
  virtual ~force() = default;
};
struct spring : force {
  double k;
  explicit spring(double k) : k(k) {}
  double at(double q) const override { return -k * q; }
};
struct drag : force {
  double c;
  explicit drag(double c) : c(c) {}
  double at(double q) const override { return -c * q * std::abs(q); }
};
double forces(const double *x, int n) {
  std::vector<std::unique_ptr<force>> all;
  all.push_back(std::make_unique<spring>(x[0]));
  all.push_back(std::make_unique<drag>(x[1]));
  all.push_back(std::make_unique<drag>(x[2]));
  double sum = 0;
  for (auto &each : all)
    sum += each->at(1.5);
  return sum;
}

// By another function than vectors release theirs.
double cubes(const double *x, int n) {
  double *copy = (double *)malloc(n * sizeof *copy);
  force *one = new spring(1);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    copy[i] = x[i] * x[i];
    sum -= copy[i] * x[i] / 3 * one->at(1);
  }
  delete one;
  free(copy);
  return sum;
}

int main() {
  const double x[] = {1, 2, 3};
  double a[3] = {0}, b[3] = {0}, c[3] = {0};
  __enzyme_autodiff((void *)squares, enzyme_dup, x, a, enzyme_const, 3);
  std::printf("%g %g %g\n", a[0], a[1], a[2]);
  __enzyme_autodiff((void *)forces, enzyme_dup, x, b, enzyme_const, 3);
  std::printf("%g %g %g\n", b[0], b[1], b[2]);
  __enzyme_autodiff((void *)cubes, enzyme_dup, x, c, enzyme_const, 3);
  std::printf("%g %g %g\n", c[0], c[1], c[2]);
}
