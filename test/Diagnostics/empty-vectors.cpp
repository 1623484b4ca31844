// A vector without elements as the shadow of one with: a warning at each level, whether it is passed
// itself or by its data. A vector that gets elements, or that is as empty as the argument, is fine.
// RUN: %clangxx -c -g -O0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: %clangxx -c -g -O2 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
#include <isozyme/isozyme.h>
#include <vector>
template <typename... A> void __enzyme_autodiff(void *, A...);

double norm(const std::vector<double> &x) {
  double sum = 0;
  for (double v : x)
    sum += v * v;
  return sum;
}
double product(const double *x, int n) {
  double result = 1;
  for (int i = 0; i < n; i++)
    result *= x[i];
  return result;
}

void itself() {
  std::vector<double> x{1, 2, 3}, dx;
  // CHECK: empty-vectors.cpp:[[@LINE+1]]:3: warning: the shadow of argument 1 ('x') of 'norm(std::vector{{.*}})' holds null where the argument holds the address of numbers; let it hold the address of their shadow (of a std::vector: give the shadow as many elements) [IZ309]
  __enzyme_autodiff((void *)norm, enzyme_dup, &x, &dx);
}
void data() {
  std::vector<double> x{1, 2, 3}, dx;
  // CHECK: empty-vectors.cpp:[[@LINE+1]]:3: warning: the shadow of argument 1 ('x') of 'product(double const*, int)' {{holds null|is a null pointer}}{{.*}} [IZ309]
  __enzyme_autodiff((void *)product, enzyme_dup, x.data(), dx.data(), 3);
}
double filled() {
  std::vector<double> x{1, 2, 3}, dx, none, dnone;
  dx.resize(3);
  __enzyme_autodiff((void *)norm, enzyme_dup, &x, &dx);
  __enzyme_autodiff((void *)norm, enzyme_dup, &none, &dnone);
  return dx[0];
}
void parameter(const std::vector<double> &x, std::vector<double> &dx) {
  __enzyme_autodiff((void *)norm, enzyme_dup, &x, &dx);
}
