// isozyme::jacobian: columns in lanes, rows, and whichever costs less, against differences; for sizes that are known when
// the program is compiled and for others, fewer and more than one run has lanes for.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2,-O1/-O3 --keep plan --parts 2 --flag=-I%include --flag=-std=c++20 --flag=-Wall --flag=-Wextra --flag=-Werror %s
#include "check.h"
#include <isozyme/isozyme.hpp>

using namespace isozyme;
using list = std::vector<double>;

static int calls = 0;

/// As many results as is said.
static list many(const list &x, int rows) {
  calls++;
  list y(rows);
  for (int r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < x.size(); ++i)
      y[r] += std::sin(x[i] + r) * x[(i + r) % x.size()];
  return y;
}
static list scaled(std::span<const double> x, double by) {
  list y(x.size() + 1, by);
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = by * x[i] * x[(i + 1) % x.size()];
  return y;
}
template <std::size_t N, std::size_t M>
static std::array<double, M> fixed(const std::array<double, N> &x) {
  std::array<double, M> y;
  for (std::size_t r = 0; r < M; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i)
      sum += std::exp(-x[i] * (r + 1)) * x[N - 1 - i];
    y[r] = sum;
  }
  return y;
}
static std::vector<float> floats(const std::vector<float> &x) {
  std::vector<float> y;
  for (float v : x)
    y.push_back(v * v * x[0]);
  return y;
}

/// \p f takes the variables alone.
template <typename X, typename F, typename... M>
static void compare(const char *name, F f, X x, const M &...all) {
  const std::size_t rows = f(x).size();
  for (const matrix<double> &j : {all...}) {
    CHECK(name, double(j.rows), double(rows));
    CHECK(name, double(j.columns), double(x.size()));
    for (std::size_t c = 0; c < x.size(); ++c) {
      double &moved = x[c];
      for (std::size_t r = 0; r < rows; ++r)
        CHECK_AT(name, int(r * x.size() + c), j(r, c), SLOPE(moved, f(x)[r]));
    }
  }
}

template <int Rows> static void dynamic(std::size_t n) {
  list x(n);
  fill(x.data(), int(n), 7, 0.5, 1.5);
  auto f = [](const list &v) { return many(v, Rows); };
  compare("many", f, x, jacobian(many)(x, Rows), jacobian<mode::forward>(f)(x),
          jacobian<mode::reverse>(f)(x), jacobian<mode::cheapest>(f)(x));
}

template <std::size_t N, std::size_t M> static void ofSize() {
  std::array<double, N> x;
  fill(x.data(), int(N), 8, 0.5, 1.5);
  auto f = [](const std::array<double, N> &v) { return fixed<N, M>(v); };
  compare("fixed", f, x, jacobian<mode::cheapest>(f)(x), jacobian<mode::forward>(f)(x),
          jacobian<mode::reverse>(f)(x), jacobian(fixed<N, M>)(x));
}

/// How often the function itself runs tells what was chosen: \p calls varies with nothing.
static void choices() {
  auto runs = [](std::size_t n, int rows) {
    list x(n, 1.0);
    calls = 0;
    jacobian<mode::cheapest>([](const list &v, int m) { return many(v, m); })(x, rows);
    return double(calls);
  };
  CHECK("four columns in a run", runs(4, 4), 1);
  CHECK("the fifth needs another", runs(5, 5), 2);
  CHECK("columns, though rows are fewer", runs(20, 19), 5);
  CHECK("rows: after four columns a run with a tape", runs(40, 2), 2);
  list x(40, 1.0);
  calls = 0;
  jacobian<mode::cheapest>(many)(x, 2);
  CHECK("columns of a plain function", calls, 10);
}

int main() {
  if (IN_PART(0)) {
    dynamic<1>(1);
    dynamic<2>(3);
    dynamic<2>(9);
    dynamic<1>(17);
    dynamic<11>(6);
    choices();
  }
  if (IN_PART(1)) {
    ofSize<1, 1>();
    ofSize<2, 5>();
    ofSize<5, 3>();
    ofSize<6, 1>();
    ofSize<10, 2>();
    list x{0.5, 1.5, -1, 2, 0.25};
    const double by = 1.5;
    const std::span<const double> view(x);
    auto f = [&](const list &v) { return scaled(v, by); };
    auto g = [](std::span<const double> v, double k) { return scaled(v, k); };
    compare("span", f, x, jacobian(scaled)(view, constant(by)),
            jacobian<mode::forward>(g)(view, constant(by)),
            jacobian<mode::reverse>(g)(view, constant(by)));
    matrix<float> k = jacobian(floats)(std::vector<float>{2, 3, 4, 5, 6});
    CHECK("float", k(1, 0), 9);
    CHECK("float", k(4, 4), 24);
    CHECK("float", k(0, 0), 12);
    auto [y, back] = vjp(g)(view, constant(by));
    CHECK("vjp with a constant", back({1, 0, 0, 0, 0, 0})[1], by * 0.5);
    CHECK("vjp with a constant", y[5], by);
    CHECK("no variables", double(jacobian(many)(list(), 2).data.size()), 0);
  }
  return finish();
}
