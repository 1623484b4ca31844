// Vectors, matrices and arrays of Eigen: their derivatives have the same types.
// REQUIRES: eigen
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2 --keep plan --flag=-I%include --flag=-I/usr/include/eigen3 --flag=-std=c++20 %s
#include "check.h"
#include <isozyme/eigen.hpp> // Brings Eigen's core.
using namespace Eigen;

static double energy(const VectorXd &x) {
  double sum = 0;
  for (Index i = 0; i + 1 < x.size(); i++)
    sum += x[i] * x[i] * x[i + 1];
  return sum;
}
static VectorXd products(const VectorXd &x) {
  VectorXd y(x.size() - 1);
  for (Index i = 0; i < y.size(); i++)
    y[i] = x[i] * x[i + 1];
  return y;
}
static double dense(const VectorXd &x, const MatrixXd &a) { return (a * x).squaredNorm(); }
static double fixed(const Vector3d &x, const Matrix3d &a) { return x.dot(a * x); }

static void gradients() {
  VectorXd x(3);
  x << 1, 2, 3;
  auto [value, g] = isozyme::value_and_grad(energy)(x);
  static_assert(std::is_same_v<decltype(g), VectorXd>);
  CHECK("energy", value, 14);
  CHECK_AT("energy", 0, g[0], 4);
  CHECK_AT("energy", 1, g[1], 13);
  CHECK_AT("energy", 2, g[2], 4);
  MatrixXd a(2, 3);
  a << 1, 2, 3, 4, 5, 6;
  auto [gx, ga] = isozyme::grad(dense)(x, a);
  VectorXd ex = 2 * a.transpose() * a * x;
  MatrixXd ea = 2 * a * x * x.transpose();
  CHECK("dense x", (gx - ex).norm(), 0);
  CHECK("dense a", (ga - ea).norm(), 0);
  CHECK("held", (isozyme::grad(dense)(x, isozyme::constant(a)) - ex).norm(), 0);
  Matrix3d b;
  b << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  auto [fx, fb] = isozyme::grad(fixed)(Vector3d(1, 2, 3), b);
  static_assert(std::is_same_v<decltype(fb), Matrix3d>);
  CHECK_AT("fixed", 1, fx[1], (b.row(1) + b.col(1).transpose()).dot(RowVector3d(1, 2, 3)));
  CHECK_AT("fixed b", 1, fb(1, 2), 6);
  // The parameter is a Ref: what is passed becomes one inside.
  auto twice = [](const Ref<const VectorXd> &v) { return 2 * v.squaredNorm(); };
  CHECK_AT("ref", 2, isozyme::grad(twice)(x)[2], 12);
  Array3d h(1, 2, 3);
  CHECK_AT("array", 2, isozyme::grad([](const Array3d &v) { return (v * v * v).sum(); })(h)[2], 27);
}

static void matrices() {
  VectorXd x(3);
  x << 1, 2, 3;
  MatrixXd j = isozyme::jacobian(products)(x);
  static_assert(std::is_same_v<decltype(isozyme::jacobian(products)(x)), MatrixXd>);
  CHECK("rows", double(j.rows()), 2);
  CHECK("columns", double(j.cols()), 3);
  CHECK("J01", j(0, 1), 1);
  CHECK("J12", j(1, 2), 2);
  CHECK("J02", j(0, 2), 0);
  MatrixXd hess = isozyme::hessian(energy)(x);
  CHECK("H00", hess(0, 0), 4);
  CHECK("H01", hess(0, 1), 2);
  CHECK("H12", hess(1, 2), 4);
  VectorXd v = VectorXd::Unit(3, 1);
  CHECK("hvp", (isozyme::hvp(energy)(x, v) - hess.col(1)).norm(), 0);
  auto [y, dy] = isozyme::jvp(products, isozyme::at(x), isozyme::along(v));
  CHECK("jvp", (dy - j * v).norm(), 0);
  auto [z, pullback] = isozyme::vjp(products)(x);
  VectorXd w(2);
  w << 3, 5;
  CHECK("vjp", (pullback(w) - j.transpose() * w).norm(), 0);
  CHECK("again", (pullback(2 * w) - 2 * j.transpose() * w).norm(), 0);
  auto by_a = [](const MatrixXd &m, const VectorXd &v, double s) -> VectorXd { return s * (m * v); };
  MatrixXd a = MatrixXd::Identity(3, 3);
  auto [u, back] = isozyme::vjp(by_a)(a, isozyme::constant(x), isozyme::constant(2.0));
  CHECK("vjp with constants", (back(v) - 2 * v * x.transpose()).norm(), 0);
  auto square = isozyme::hessian(
      [](const Vector3d &p) { return p[0] * p[0] * p[1] + p[2] * p[2] * p[2]; })(Vector3d(1, 2, 3));
  static_assert(std::is_same_v<decltype(square), Matrix3d>);
  CHECK("fixed H", square(0, 1), 2);
  CHECK("fixed H", square(2, 2), 18);
}

static void lists() {
  std::vector<VectorXd> layers{VectorXd::Constant(2, 3.0), VectorXd::Constant(3, 2.0)};
  auto d = isozyme::grad([](const std::vector<VectorXd> &all) {
    double sum = 0;
    for (auto &one : all)
      sum += one.squaredNorm();
    return sum;
  })(layers);
  CHECK("layers", d[1][2], 4);
}

int main() {
  gradients();
  matrices();
  lists();
  return finish();
}
