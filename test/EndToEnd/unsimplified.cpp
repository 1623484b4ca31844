// Code as clang makes it when its passes are left out: no optnone, all variables in memory. `opt` then runs
// nothing but autodiff.
// REQUIRES: eigen
// UNSUPPORTED: sanitizers, memcheck
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes -I/usr/include/eigen3 -I%S -c -emit-llvm %s -o %t.bc
// LLVM's own check after each pass would read all of Eigen hundreds of times: two minutes.
// RUN: %opt_bin -load-pass-plugin=%plugin -isozyme-verify-each -passes=autodiff %t.bc -o %t.out.bc
// RUN: %clangxx -O1 %t.out.bc -o %t -lm && %t | FileCheck %s
// CHECK: ok
#include "check.h"
#include <Eigen/Dense>

static double fixed(const double *in, int n) {
  Eigen::Matrix2d a;
  a << in[0], in[1], in[2], in[3];
  Eigen::Vector2d b(in[4], in[5]), y = a * b + b;
  return y.squaredNorm() + (a.transpose() * a).trace();
}
static double dynamic(const double *in, int n) {
  Eigen::Map<const Eigen::MatrixXd> a(in, 2, 2);
  Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(in + 4, 2), y = a * b + b;
  return y.squaredNorm() * y.sum();
}
int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION(fixed, 6, x, t, 6);
  CHECK_FUNCTION(dynamic, 6, x, t, 6);
  return finish();
}
