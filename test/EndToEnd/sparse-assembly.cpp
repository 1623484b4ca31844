// Eigen's sparse matrices: assembled of triplets, some of which name the same place, inserted one by
// one, multiplied, and solved by LU, LDLT and iterations.
// REQUIRES: eigen
// UNSUPPORTED: memcheck-asan, memcheck-valgrind
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --keep plan --parts 3 --flag=-I/usr/include/eigen3 %s
#include "check.h"
#include <Eigen/Sparse>
#include <vector>

extern int enzyme_dup, enzyme_const;
template <typename R, typename... Args> R __enzyme_autodiff(void *, Args...);
using namespace Eigen;
constexpr int N = 5;

static double triplets(const double *x, int n) {
  std::vector<Triplet<double>> entries;
  for (int i = 0; i < n; i++) {
    entries.emplace_back(i, i, 4 + x[i] * x[i]);
    entries.emplace_back(i, (i + 1) % n, -x[i]);
    entries.emplace_back(i, i, x[(i + 2) % n]);
  }
  SparseMatrix<double> a(n, n);
  a.setFromTriplets(entries.begin(), entries.end());
  return (a * Map<const VectorXd>(x, n)).squaredNorm();
}
static SparseMatrix<double> chain(const double *x, int n) {
  SparseMatrix<double> a(n, n);
  a.reserve(VectorXi::Constant(n, 3));
  for (int i = 0; i < n; i++) {
    a.insert(i, i) = 4 + x[i] * x[i];
    if (i)
      a.insert(i, i - 1) = a.insert(i - 1, i) = -0.1 * x[i];
  }
  a.makeCompressed();
  return a;
}
static double factored(const double *x, int n) {
  SimplicialLDLT<SparseMatrix<double>> solver(chain(x, n));
  return solver.solve(Map<const VectorXd>(x, n)).eval().squaredNorm();
}
static double eliminated(const double *x, int n) {
  SparseLU<SparseMatrix<double>> solver(chain(x, n));
  return solver.solve(Map<const VectorXd>(x, n)).eval().squaredNorm();
}
static double conjugate(const double *x, int n) {
  SparseMatrix<double> a = chain(x, n);
  ConjugateGradient<SparseMatrix<double>, Lower | Upper> solver(a);
  solver.setTolerance(1e-14);
  return solver.solve(Map<const VectorXd>(x, n)).eval().squaredNorm();
}
static double biconjugate(const double *x, int n) {
  SparseMatrix<double> a = chain(x, n);
  BiCGSTAB<SparseMatrix<double>> solver(a);
  solver.setTolerance(1e-14);
  return solver.solve(Map<const VectorXd>(x, n)).eval().squaredNorm();
}

#define GRADIENT(F)                                                                                \
  {                                                                                                \
    double d[N] = {};                                                                              \
    __enzyme_autodiff<double>((void *)F, enzyme_dup, x, d, enzyme_const, N);                       \
    for (int i = 0; i < N; i++)                                                                    \
      CHECK_AT(#F, i, d[i], SLOPE(x[i], F(x, N)));                                                 \
  }

int main() {
  double x[N] = {0.5, 0.7, -0.4, 1.1, 0.9};
  if (IN_PART(0)) {
    GRADIENT(triplets)
    GRADIENT(factored)
  }
  if (IN_PART(1)) {
    GRADIENT(eliminated)
  }
  if (IN_PART(2)) {
    GRADIENT(conjugate)
    GRADIENT(biconjugate)
  }
  return finish();
}
