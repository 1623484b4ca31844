// C++: a small matrix class with operators, conjugate gradients, a heat equation solved implicitly.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <array>
#include <cstddef>

template <std::size_t R, std::size_t C> class Matrix {
public:
  double &operator()(std::size_t i, std::size_t j) { return cells[i * C + j]; }
  double operator()(std::size_t i, std::size_t j) const { return cells[i * C + j]; }
  Matrix operator+(const Matrix &o) const {
    Matrix r;
    for (std::size_t k = 0; k < R * C; ++k)
      r.cells[k] = cells[k] + o.cells[k];
    return r;
  }
  Matrix operator*(double s) const {
    Matrix r = *this;
    for (double &v : r.cells)
      v *= s;
    return r;
  }
  template <std::size_t D> Matrix<R, D> operator*(const Matrix<C, D> &o) const {
    Matrix<R, D> r;
    for (std::size_t i = 0; i < R; ++i)
      for (std::size_t j = 0; j < D; ++j)
        for (std::size_t k = 0; k < C; ++k)
          r(i, j) += (*this)(i, k) * o(k, j);
    return r;
  }

private:
  std::array<double, R * C> cells{};
};
template <std::size_t N> using Column = Matrix<N, 1>;

template <std::size_t N> double dot(const Column<N> &a, const Column<N> &b) {
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i)
    sum += a(i, 0) * b(i, 0);
  return sum;
}

template <std::size_t N> Column<N> solve(const Matrix<N, N> &a, const Column<N> &b) {
  Column<N> x, r = b, p = b;
  double rr = dot(r, r);
  for (int i = 0; i < 3 * int(N) && rr > 1e-26; ++i) {
    const Column<N> ap = a * p;
    const double alpha = rr / dot(p, ap);
    x = x + p * alpha;
    r = r + ap * -alpha;
    const double next = dot(r, r);
    p = r + p * (next / rr);
    rr = next;
  }
  return x;
}

// Backward Euler for a rod whose conductivity varies.
double heat(const double *conductivity, const double *start, double step) {
  constexpr std::size_t N = 6;
  Matrix<N, N> system;
  Column<N> u;
  for (std::size_t i = 0; i < N; ++i) {
    u(i, 0) = start[i];
    system(i, i) = 1;
  }
  for (std::size_t i = 0; i + 1 < N; ++i) {
    const double k = step * conductivity[i] * conductivity[i + 1];
    system(i, i) += k;
    system(i + 1, i + 1) += k;
    system(i, i + 1) -= k;
    system(i + 1, i) -= k;
  }
  for (int t = 0; t < 3; ++t)
    u = solve(system, u);
  return dot(u, u) + u(0, 0);
}

int main() {
  double k[6], u[6], tk[6], tu[6], dk[6] = {}, du[6] = {}, step = 0.4;
  fill(k, 6, 1, 0.5, 1.5);
  fill(u, 6, 2, 0, 1);
  fill(tk, 6, 3, -1, 1);
  fill(tu, 6, 4, -1, 1);
  double ds = __enzyme_autodiff<double>((void *)heat, enzyme_dup, k, dk, enzyme_dup, u, du, step);
  // The solver stops at a residual: what it returns is smooth up to 1e-10 or so.
  for (int i = 0; i < 6; ++i) {
    checkWithin("conductivity", i, dk[i], SLOPE(k[i], heat(k, u, step)), 1e-7, 1e-8);
    checkWithin("start", i, du[i], SLOPE(u[i], heat(k, u, step)), 1e-7, 1e-8);
  }
  checkWithin("step", -1, ds, SLOPE(step, heat(k, u, step)), 1e-7, 1e-8);
  CHECK("jvp",
        __enzyme_fwddiff<double>((void *)heat, enzyme_dup, k, tk, enzyme_dup, u, tu, step, 0.5),
        innerProduct(tk, dk, 6) + innerProduct(tu, du, 6) + 0.5 * ds);
  return finish();
}
