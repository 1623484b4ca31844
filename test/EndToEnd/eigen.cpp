// Eigen, which hides values from the optimiser in empty assembly, takes extrema by assembly, rounds by
// large constants and moves doubles as integers.
// REQUIRES: eigen
// UNSUPPORTED: memcheck-asan, memcheck-valgrind
// (These build at -O1, where some of it is an error: IZ202, IZ203.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2/-O3 --keep plan --parts 3 --flag=-I/usr/include/eigen3 %s
#include "check.h"
#include <Eigen/Dense>

extern int enzyme_dup, enzyme_const;
template <typename R, typename... Args> R __enzyme_autodiff(void *, Args...);
template <typename R, typename... Args> R __enzyme_fwddiff(void *, Args...);
using namespace Eigen;
constexpr int N = 16;
using Square = Matrix<double, 4, 4>;

static double functions(const double *x) {
  Map<const ArrayXd> v(x, N);
  return (v.sin() * v.exp() + (v * v + 1).log() * v.tanh()).sum() + (v.abs() + 1).sqrt().maxCoeff();
}
static double products(const double *x) {
  Map<const MatrixXd> a(x, 4, 4);
  MatrixXd b = a.block(0, 0, 3, 3) * a.block(1, 1, 3, 3);
  return (a * b.norm() * a.transpose()).trace() + b.colwise().sum().prod();
}
static double solvers(const double *x) {
  Map<const Square> a(x);
  Square regular = a + 5 * Square::Identity();
  Vector4d b(1, 2, 3, 4);
  return regular.partialPivLu().solve(b).squaredNorm() + regular.inverse().sum() +
         std::log(regular.determinant());
}
static double symmetric(const double *x) {
  Map<const Square> a(x);
  MatrixXd s = a * a.transpose() + Square::Identity();
  VectorXd b = VectorXd::LinSpaced(4, 1, 2);
  return s.llt().solve(b).dot(b) + s.triangularView<Lower>().solve(b).squaredNorm();
}
static double geometry(const double *x) {
  Isometry3d t = Isometry3d::Identity();
  t.rotate(AngleAxisd(x[0], Vector3d(x[1], x[2], x[3] + 2).normalized()));
  t.translate(Vector3d(x[4], x[5], x[6]));
  Vector3d p = t * Vector3d(x[7], x[8], x[9]);
  return p.squaredNorm() + p.cross(Vector3d(x[10], x[11], 1)).z();
}

#define GRADIENT(F)                                                                                \
  double d##F[N] = {0};                                                                            \
  __enzyme_autodiff<void>((void *)F, enzyme_dup, x, d##F);                                         \
  for (int i = 0; i < N; i++)                                                                      \
    CHECK_AT(#F, i, d##F[i], SLOPE(x[i], F(x)));
#define TANGENT(F)                                                                                 \
  CHECK(#F " jvp", __enzyme_fwddiff<double>((void *)F, enzyme_dup, x, t), innerProduct(t, d##F, N));

int main() {
  double x[N], t[N];
  fill(x, N, 61, -1, 1);
  fill(t, N, 62, -1, 1);
  if (IN_PART(0)) {
    GRADIENT(functions) TANGENT(functions)
    GRADIENT(products) TANGENT(products)
  }
  if (IN_PART(1)) {
    GRADIENT(solvers) TANGENT(solvers)
  }
  if (IN_PART(2)) {
    GRADIENT(symmetric) // Forward mode refuses a pointer that counts backwards there (IZ202).
    GRADIENT(geometry) TANGENT(geometry)
  }
  return finish();
}
