#include <Eigen/Dense>
#include <Eigen/Sparse>

static Eigen::MatrixXd matrixOf(const double *x) { return Eigen::Map<const Eigen::Matrix3d>(x); }
static Eigen::MatrixXd positive(const double *x) {
  Eigen::MatrixXd A = matrixOf(x);
  return A * A.transpose() + Eigen::MatrixXd::Identity(3, 3);
}
static double weighted(const Eigen::VectorXd &V) { return V(0) + 2 * V(1) + 3 * V(2); }

double cholesky(const double *x) { return weighted(positive(x).llt().solve(Eigen::VectorXd::Ones(3))); }
double lu(const double *x) { return weighted(matrixOf(x).partialPivLu().solve(Eigen::VectorXd::Ones(3))); }
double qr(const double *x) { return weighted(matrixOf(x).householderQr().solve(Eigen::VectorXd::Ones(3))); }
double singular_values(const double *x) { return weighted(matrixOf(x).jacobiSvd().singularValues()); }

double symmetric_eigenvalues(const double *x) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> Solver(positive(x));
  return weighted(Solver.eigenvalues());
}

double eigenvalues(const double *x) {
  Eigen::EigenSolver<Eigen::MatrixXd> Solver(matrixOf(x), false);
  double Sum = 0;
  for (int I = 0; I < 3; ++I)
    Sum += std::exp(Solver.eigenvalues()(I).real());
  return Sum;
}

static Eigen::SparseMatrix<double> sparseOf(const double *x) {
  std::vector<Eigen::Triplet<double>> Entries;
  for (int I = 0, K = 0; I < 3; ++I)
    for (int J = 0; J <= I; ++J, ++K) {
      Entries.emplace_back(I, J, x[K] + (I == J ? 3 : 0));
      if (I != J)
        Entries.emplace_back(J, I, x[K]);
    }
  Eigen::SparseMatrix<double> Matrix(3, 3);
  Matrix.setFromTriplets(Entries.begin(), Entries.end());
  return Matrix;
}

double sparse_cholesky(const double *x) {
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> Solver(sparseOf(x));
  return weighted(Solver.solve(Eigen::VectorXd::Ones(3)));
}

double sparse_gradient(const double *x) {
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double>> Solver;
  Eigen::SparseMatrix<double> Matrix = sparseOf(x);
  Solver.compute(Matrix);
  return weighted(Solver.solve(Eigen::VectorXd::Ones(3)));
}

double rotation(const double *x) {
  Eigen::Quaterniond Turn(Eigen::AngleAxisd(x[0], Eigen::Vector3d(x[1], x[2], x[3]).normalized()));
  Eigen::Vector3d Moved = Turn * Eigen::Vector3d(1, 2, 3);
  return Moved(0) + 2 * Moved(1) * Moved(2);
}
