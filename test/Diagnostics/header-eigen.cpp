// What the C++ headers say about expressions of Eigen.
// REQUIRES: eigen
// RUN: not %clangxx -std=c++20 -I/usr/include/eigen3 -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <Eigen/Core>
#include <isozyme/isozyme.hpp>

double norm(const Eigen::VectorXd &x) { return x.squaredNorm(); }

void test(const Eigen::VectorXd &x) {
  // CHECK: error: {{.*}}an expression, map or block of Eigen has no memory of its own: pass a matrix or vector, such as x.eval()
  auto g = isozyme::grad(norm)(2 * x);
  // CHECK: error: {{.*}}the function returns an expression of Eigen: let it return the vector or matrix, by '-> Eigen::VectorXd' or .eval()
  auto J = isozyme::jacobian([](const Eigen::VectorXd &v) { return 2 * v; })(x);
}
