// <isozyme/isozyme.hpp>: patterns, colorings and entries of sparse Jacobians and Hessians.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2 --keep plan --flag=-I%include --flag=-std=c++20 --flag=-Wall --flag=-Wextra --flag=-Werror %s
#include "check.h"
#include <isozyme/isozyme.hpp>

using namespace isozyme;
using list = std::vector<double>;

static list point(int n, unsigned seed) {
  list x(n);
  fill(x.data(), n, seed, 0.5, 1.5);
  return x;
}

/// The chained Rosenbrock function: its Hessian has three diagonals.
static double rosenbrock(const list &x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    sum += 100 * a * a + b * b;
  }
  return sum;
}

/// The residual of the Bratu problem -u'' = lambda exp(u) on a square, 5-point stencil.
static list bratu(std::span<const double> u, double lambda, int m) {
  list r(u.size());
  const double h = 1.0 / (m + 1);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      int at = i * m + j;
      double around = 0;
      if (i > 0)
        around += u[at - m];
      if (i + 1 < m)
        around += u[at + m];
      if (j > 0)
        around += u[at - 1];
      if (j + 1 < m)
        around += u[at + 1];
      r[at] = 4 * u[at] - around - h * h * lambda * std::exp(u[at]);
    }
  return r;
}

/// An arrow: everything depends on x[0]; and floats.
static float arrow(const std::vector<float> &x) {
  float sum = 0;
  for (float v : x)
    sum += v * v * x[0];
  return sum;
}

/// Pairs that lie far apart, chosen by indices that are data.
struct Springs {
  std::vector<std::pair<int, int>> ends;
  double operator()(std::span<const double> x, const list &stiffness) const {
    double energy = 0;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      double d = x[ends[k].first] - x[ends[k].second];
      energy += stiffness[k] * (d * d + std::sin(d));
    }
    return energy;
  }
};
static std::array<double, 3> fixed(const std::array<double, 4> &x) {
  return {x[0] * x[3], 2.5, x[1] + x[2]};
}
/// A result that depends on all, another on none, in between one on each.
static list mixed(const list &x) {
  list y(x.size() + 2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[0] += x[i];
    y[i + 2] = x[i] * x[x.size() - 1 - i];
  }
  y[1] = std::floor(x[0]);
  return y;
}

template <typename M, typename S> static void compare(const char *name, const M &dense, const S &s) {
  for (std::size_t r = 0; r < dense.rows; ++r)
    for (std::size_t c = 0; c < dense.columns; ++c)
      CHECK_AT(name, int(r * dense.columns + c), s(int(r), int(c)), dense(r, c));
}

/// Columns of a color share no row.
static void checkColors(const sparsity_pattern &p, const coloring &c) {
  for (int row = 0; row < p.rows; ++row)
    for (int e = p.starts[row]; e < p.starts[row + 1]; ++e)
      for (int k = e + 1; k < p.starts[row + 1]; ++k)
        if (c.of[p.indices[e]] == c.of[p.indices[k]])
          CHECK("colors that differ", 0, 1);
}

static void checkRosenbrock() {
  const int n = 10000;
  list x = point(n, 3);
  auto hessian = sparse_lower_hessian(rosenbrock, x);
  const sparsity_pattern &p = hessian.pattern();
  CHECK("rosenbrock entries", double(p.entries()), 2 * n - 1);
  CHECK("rosenbrock passes", hessian.passes(), 3);
  list values(p.entries());
  for (unsigned round = 0; round < 2; ++round) {
    x = point(n, 3 + round);
    hessian.evaluate(std::span(values), x);
    std::vector<int> rows = p.row_indices();
    double worst = 0;
    for (std::size_t e = 0; e < values.size(); ++e) {
      int i = rows[e], j = p.indices[e];
      double exact = i == j ? (i + 1 < n ? 1200 * x[i] * x[i] - 400 * x[i + 1] + 2 : 0) + (i ? 200 : 0)
                            : -400 * x[j];
      worst = std::fmax(worst, std::fabs(values[e] - exact) / (1 + std::fabs(exact)));
    }
    CHECK("rosenbrock", worst, 0);
  }
}

static void checkBratu() {
  const int m = 40;
  const double lambda = 3;
  list u = point(m * m, 5);
  std::span<const double> view(u);
  auto jacobian = sparse_jacobian(bratu, view, constant(lambda), m);
  auto j = jacobian(view, constant(lambda), m);
  double worst = 0, h = 1.0 / (m + 1);
  for (int row = 0; row < m * m; ++row) {
    int wanted = 1 + (row >= m) + (row + m < m * m) + (row % m > 0) + (row % m < m - 1);
    CHECK_AT("bratu row", row, j.pattern.starts[row + 1] - j.pattern.starts[row], wanted);
    for (int e = j.pattern.starts[row]; e < j.pattern.starts[row + 1]; ++e) {
      double exact = j.pattern.indices[e] == row ? 4 - h * h * lambda * std::exp(u[row]) : -1;
      worst = std::fmax(worst, std::fabs(j.values[e] - exact));
    }
  }
  CHECK("bratu", worst, 0);
  CHECK("bratu passes", jacobian.passes() <= 8, 1);
}

int main() {
  checkRosenbrock();
  checkBratu();

  std::vector<float> f(70, 0.5f);
  auto h = sparse_hessian(arrow, f);
  CHECK("arrow entries", double(h.pattern().entries()), 70 + 2 * 69);
  CHECK("arrow passes", h.passes(), 2);
  auto m = h(f);
  CHECK("arrow 0 0", m(0, 0), 3);
  CHECK("arrow 5 0", m(5, 0), 1);
  CHECK("arrow 0 5", m(0, 5), 1);
  CHECK("arrow 5 5", m(5, 5), 1);
  CHECK("arrow 5 6", m(5, 6), 0);

  Springs springs;
  list stiffness = point(60, 8);
  for (int k = 0; k < 60; ++k)
    springs.ends.push_back({k * 7 % 40, (k * k + 11) % 40});
  list x = point(40, 9);
  std::span<const double> view(x);
  auto byPattern = sparse_hessian(springs, sparsity(springs, view, constant(stiffness)));
  compare("springs", hessian(springs)(view, constant(stiffness)),
          byPattern(view, constant(stiffness)));
  CHECK("symmetric", byPattern.pattern() == byPattern.pattern().transposed(), 1);

  std::array<double, 4> a{1, 2, 3, 4};
  compare("fixed", jacobian(fixed)(a), sparse_jacobian(fixed, a)(a));
  CHECK("fixed pattern", (sparsity(fixed, a) == sparsity_pattern{3, 4, {0, 2, 2, 4}, {0, 3, 1, 2}}), 1);
  list y = point(37, 11);
  sparsity_pattern p = sparsity(mixed, y);
  compare("mixed", jacobian(mixed)(y), sparse_jacobian(mixed, p)(y));
  CHECK("mixed entries", double(p.entries()), 37 + 0 + 2 * 36 + 1);
  checkColors(p, color_columns(p));
  sparsity_pattern q = sparsity(bratu, view.first(36), constant(1.0), 6);
  checkColors(q, color_columns(q));
  CHECK("union", (q | q) == q && (q | p.lower()).find(38, 36) >= 0, 1);
  CHECK("lower", q.lower().find(1, 2), -1);
  list none;
  CHECK("no variables", double(sparsity(rosenbrock, none).entries()), 0);
  return finish();
}
