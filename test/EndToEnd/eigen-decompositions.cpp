// Eigen's decompositions of matrices, most of a size that is known at run time only. Their views have
// members of empty classes, whose bytes are copied and mean nothing.
// REQUIRES: eigen
// UNSUPPORTED: memcheck-asan, memcheck-valgrind
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --keep plan --parts 3 --flag=-I/usr/include/eigen3 %s
#include "check.h"
#include <Eigen/Dense>

extern int enzyme_dup, enzyme_const;
template <typename R, typename... Args> R __enzyme_autodiff(void *, Args...);
using namespace Eigen;
constexpr int N = 9;

static double householder(const double *x, int n) {
  Map<const MatrixXd> a(x, n, n);
  VectorXd b = VectorXd::LinSpaced(n, 1, 2);
  return a.householderQr().solve(b).squaredNorm() + a.colPivHouseholderQr().solve(b).sum();
}
static double eigenvalues(const double *x, int n) {
  MatrixXd a = Map<const MatrixXd>(x, n, n);
  SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(a + a.transpose()));
  return solver.eigenvalues()(0) + 3 * solver.eigenvalues()(n - 1);
}
static double general(const double *x, int n) {
  EigenSolver<MatrixXd> solver(Map<const MatrixXd>(x, n, n), false);
  return solver.eigenvalues().real().array().cube().sum();
}
static double ofFixedSize(const double *x, int) {
  EigenSolver<Matrix3d> solver(Map<const Matrix3d>(x), false);
  return solver.eigenvalues().real().array().cube().sum();
}

#define GRADIENT(F)                                                                                \
  {                                                                                                \
    double d[N] = {};                                                                              \
    __enzyme_autodiff<double>((void *)F, enzyme_dup, x, d, enzyme_const, 3);                       \
    for (int i = 0; i < N; i++)                                                                    \
      CHECK_AT(#F, i, d[i], SLOPE(x[i], F(x, 3)));                                                 \
  }

int main() {
  double x[N] = {2, 0.3, -0.4, 0.7, 3, 0.1, -0.2, 0.6, 5};
  if (IN_PART(0)) {
    GRADIENT(householder)
    GRADIENT(eigenvalues)
  }
  if (IN_PART(1)) {
    GRADIENT(general)
  }
  if (IN_PART(2)) {
    GRADIENT(ofFixedSize)
  }
  return finish();
}
