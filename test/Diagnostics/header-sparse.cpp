// What <isozyme/isozyme.hpp> says about functions whose derivatives have no sparse matrix.
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=1 %s 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=2 %s 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=3 %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=4 %s 2>&1 | FileCheck %s --check-prefix=REST
#include <isozyme/isozyme.hpp>

double energy(const std::vector<double> &);
double square(double);
long double sum(const std::vector<long double> &);
std::vector<double> scaled(const std::vector<double> &, double);

void test(const std::vector<double> &x, const std::vector<long double> &w) {
#if CASE == 1
  // ONE: error: no matching function for call to 'sparsity'
  // ONE: because 'double' does not satisfy 'variable_list'
  isozyme::sparsity(square, 1.0);
#elif CASE == 2
  // WIDE: error: no matching function for call to 'sparse_hessian'
  // WIDE: does not satisfy 'masked_number'
  isozyme::sparse_hessian(sum, w);
#elif CASE == 3
  // NUMBER: error: no matching function for call to 'sparse_jacobian'
  // NUMBER: because 'list_function<
  isozyme::sparse_jacobian(energy, x);
#elif CASE == 4
  // REST: error: no matching function for call to 'sparse_jacobian'
  // REST: because 'double' does not satisfy 'inert'
  isozyme::sparse_jacobian(scaled, x, 2.0);
#endif
  (void)x, (void)w;
}
