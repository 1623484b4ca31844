// <isozyme/isozyme.hpp>: gradients, tangents, Jacobians, Hessians of every kind of argument.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --parts 2 --flag=-I%include --flag=-std=c++20 --flag=-Wall --flag=-Wextra --flag=-Werror %s
#include "check.h"
#include <isozyme/isozyme.hpp>
#include <map>
#include <string_view>

using namespace isozyme;

static double square(double x) { return x * x; }
static double mixed(double x, float y, int n) { return x * x * y * n; }
static double norm(const std::vector<double> &x) {
  double s = 0;
  for (double v : x)
    s += v * v;
  return std::sqrt(s);
}
static std::vector<double> scaled(const std::vector<double> &x, const std::vector<double> &by) {
  std::vector<double> y(x);
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] *= by[i];
  return y;
}
static double powers(std::span<const double> x, int k) {
  double s = 0;
  for (double v : x)
    s += std::pow(v, k);
  return s;
}
struct Point {
  double x, y, z;
};
static double volume(const Point &p, double scale) { return p.x * p.y * p.z * scale; }
static double area(const std::array<double, 3> &a) { return a[0] * a[1] + a[1] * a[2]; }
static double cubes(const std::vector<std::vector<double>> &rows) {
  double s = 0;
  for (const auto &row : rows)
    for (double v : row)
      s += v * v * v;
  return s;
}
static double labelled(std::string_view name, double x) { return name == "twice" ? 2 * x : x; }

static void gradients() {
  CHECK("square", grad(square)(3.0), 6);
  auto [gx, gy] = grad(mixed)(3.0, 2.0f, 5);
  CHECK("mixed.x", gx, 60);
  CHECK("mixed.y", gy, 45);
  CHECK("mixed.constant", grad(mixed)(3.0, constant(2.0f), 5), 60);
  std::vector<double> x{3, 4};
  auto g = grad(norm)(x);
  CHECK_AT("norm", 0, g[0], 0.6);
  CHECK_AT("norm", 1, g[1], 0.8);
  auto [value, gs] = value_and_grad(powers)(std::span<const double>(x), 3);
  CHECK("powers", value, 91);
  CHECK_AT("powers", 1, gs[1], 48);
  // A vector, where the function wants a span.
  CHECK_AT("powers.vector", 0, grad(powers)(x, 3)[0], 27);
  auto [gp, gscale] = grad(volume)(Point{2, 3, 5}, 7.0);
  CHECK("volume.y", gp.y, 70);
  CHECK("volume.scale", gscale, 30);
  const std::array<double, 3> a{1, 2, 3};
  CHECK_AT("area", 1, grad(area)(a)[1], 4);
  CHECK("cubes", grad(cubes)(std::vector<std::vector<double>>{{1, 2}, {3}})[1][0], 27);
  CHECK("labelled", grad(labelled)("twice", 3.0), 2);
  double k = 5;
  CHECK("lambda", grad([k](double v) { return k * v * v; })(2.0), 20);
  constexpr auto slope = grad([](double v) { return v * v * v; });
  CHECK("constexpr", slope(2.0), 12);
}

static std::vector<double> rolled(const std::vector<double> &x) {
  std::vector<double> r(x.size());
  for (std::size_t i = 0; i < x.size(); i++)
    r[i] = x[i] * x[(i + 1) % x.size()];
  return r;
}
static std::array<double, 2> polar(const std::array<double, 2> &p) {
  return {p[0] * std::cos(p[1]), p[0] * std::sin(p[1])};
}

static double priced(const std::map<int, double> &costs) {
  double rest = 1;
  for (auto &[key, cost] : costs)
    rest *= key == 7 ? 1 : cost;
  return costs.at(7) * costs.at(7) * rest;
}

/// A map's derivative has the same keys.
static void maps() {
  std::map<int, double> costs{{7, 3}, {1, 2}, {9, 5}};
  auto [value, g] = value_and_grad(priced)(costs);
  CHECK("map", value, 90);
  CHECK_AT("map", 7, g.at(7), 60);
  CHECK_AT("map", 1, g.at(1), 45);
  CHECK_AT("map", 9, g.at(9), 18);
  auto [v, tangent] = jvp(priced, at(costs), along(g));
  CHECK("map.tangent", tangent, 60 * 60 + 45 * 45 + 18 * 18);
  auto [p, back] = vjp(priced)(costs);
  CHECK("map.vjp", back(2.0).at(1), 90);
}

static void tangents() {
  auto [v, t] = jvp(mixed, at(3.0, 2.0f, 5), along(1.0, 0.5f));
  CHECK("jvp", v, 90);
  CHECK("jvp.tangent", t, 60 + 22.5);
  std::vector<double> x{1.5, 2, 3};
  auto [r, dr] = jvp(rolled, at(x), along(std::vector<double>{1, 0, 0}));
  CHECK_AT("rolled", 0, r[0], 3);
  CHECK_AT("rolled.tangent", 0, dr[0], 2);
  CHECK_AT("rolled.tangent", 1, dr[1], 0);
  CHECK_AT("rolled.tangent", 2, dr[2], 3);
  auto [s, ds] = jvp(powers, at(std::span<const double>(x), 2), along(x));
  CHECK("span", ds, 2 * s);
  matrix<double> J = jacobian(polar)(std::array<double, 2>{2.0, 0.5});
  CHECK("J00", J(0, 0), std::cos(0.5));
  CHECK("J01", J(0, 1), -2 * std::sin(0.5));
  CHECK("J10", J(1, 0), std::sin(0.5));
  CHECK("J11", J(1, 1), 2 * std::cos(0.5));
  matrix<double> K = jacobian(rolled)(x);
  { // What the other arguments are held constant by is no struct of numbers itself.
    const std::vector<double> factors{3, 4};
    matrix<double> L = jacobian(scaled)(std::vector<double>{1, 2}, constant(factors));
    CHECK("jacobian with a constant", L(1, 1), 4);
    auto [w, dw] = jvp(scaled, at(factors, constant(factors)), along(std::vector<double>{1, 0}));
    CHECK("jvp with a constant", w[0], 9);
    CHECK("jvp with a constant.tangent", dw[0], 3);
    auto [u, back] = vjp(scaled)(std::vector<double>{1, 2}, constant(factors));
    CHECK("vjp with a constant", back({1, 1})[1], 4);
    auto by = [](const std::vector<double> &x, double c) { return c * x[0] * x[0]; };
    auto [p, slope] = vjp(by)(factors, constant(2.0)); // The number is gone after this line.
    CHECK("vjp with a number held", slope(1)[0], 12);
  }
  CHECK("K22", K(2, 2), 1.5);
  CHECK("K10", K(1, 0), 0);
}

static void pullbacks() {
  auto [v, back] = vjp(mixed)(3.0, 2.0f, 5);
  CHECK("vjp", v, 90);
  for (double seed : {1.0, 2.0}) {
    auto [gx, gy] = back(seed);
    CHECK("vjp.x", gx, 60 * seed);
    CHECK("vjp.y", gy, 45 * seed);
  }
  const std::vector<double> x{1.5, 2, 3};
  auto [r, first] = vjp(rolled)(x);
  CHECK_AT("vjp.rolled", 0, r[0], 3);
  auto moved = std::move(first);
  auto g = moved({1, 0, 0});
  CHECK_AT("rolled.first", 0, g[0], 2);
  CHECK_AT("rolled.first", 1, g[1], 1.5);
  CHECK_AT("rolled.first", 2, g[2], 0);
  g = std::move(moved)({0, 1, 0}); // The last one.
  CHECK_AT("rolled.second", 0, g[0], 0);
  CHECK_AT("rolled.second", 2, g[2], 2);
  auto [p, never] = vjp(polar)(std::array<double, 2>{2.0, 0.5});
  CHECK_AT("never pulled", 1, p[1], 2 * std::sin(0.5));
  auto [q, once] = vjp(polar)(std::array<double, 2>{2.0, 0.5});
  CHECK_AT("polar", 1, once({0, 1})[1], 2 * std::cos(0.5));
}

static double rosenbrock(const std::vector<double> &x, int weight) {
  double s = 0;
  for (std::size_t i = 0; i + 1 < x.size(); i++)
    s += weight * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
  return s;
}

static void second() {
  std::vector<double> x{1.5, 2, 3};
  auto h = hvp(rosenbrock)(x, std::vector<double>{1, 0, 0}, 100);
  CHECK_AT("hvp", 0, h[0], 1200 * 1.5 * 1.5 - 400 * 2 + 2);
  CHECK_AT("hvp", 1, h[1], -400 * 1.5);
  matrix<double> H = hessian(rosenbrock)(x, 100);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      CHECK_AT("hessian", 3 * i + j, H(i, j), SLOPE(x[j], grad(rosenbrock)(x, 100)[i]));
  auto sines = [](std::span<const double> v) { return std::sin(v[0]) * std::exp(v[1]); };
  matrix<double> S = hessian(sines)(std::span<const double>(x).first(2));
  CHECK("sines", S(0, 1), std::cos(1.5) * std::exp(2));
}

int main() {
  if (IN_PART(0)) {
    gradients();
    maps();
  }
  if (IN_PART(1)) {
    tangents();
    pullbacks();
    second();
  }
  return finish();
}
