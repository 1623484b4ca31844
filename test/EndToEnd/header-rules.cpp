// isozyme::rule: derivatives that the user writes, for functions, templates and static members.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%include --flag=-std=c++20 --flag=-Wall --flag=-Wextra --flag=-Werror %s
#include "check.h"
#include <isozyme/isozyme.hpp>

using namespace isozyme;

// Every rule here differs from the true derivative, so that its use can be seen.
static double rounded(double x, int n) { return std::pow(std::floor(x * 1e6) / 1e6, n); }
template struct isozyme::rule<rounded>::partials<[](double x, int n) {
  return n * std::pow(x, n - 1);
}>;

static double steps(double x, double y) noexcept { return std::floor(x) * y; }
template struct isozyme::rule<steps>::partials<[](double x, double y) { return std::array{y, x}; }>;

template <typename T> T whole(T x) { return std::floor(x); }
static value_and_tangent<double> wholeTangent(double x, double dx) { return {x, 10 * dx}; }
template struct isozyme::rule<whole<double>>::tangent<wholeTangent>;
template struct isozyme::rule<whole<double>>::reverse<
    +[](double x) { return x; }, +[](double, double seed) { return 100 * seed; }>;

// Memory and a tape: what is kept is the sum of the squares.
struct Norm {
  static double of(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += x[i] * x[i];
    return std::sqrt(s);
  }
};
struct Kept {
  double norm;
  double result;
};
static Kept normAugmented(const double *x, const double *, int n) {
  double norm = Norm::of(x, n);
  return {norm, norm};
}
static void normReverse(const double *x, double *dx, int n, double seed, double norm) {
  for (int i = 0; i < n; i++)
    dx[i] += 7 * seed * x[i] / norm;
}
template struct isozyme::rule<Norm::of>::reverse<normAugmented, normReverse>;

static void clampTo(double &x, double limit) { x = x > limit ? limit : x; }
static void clampTangent(double &x, double &dx, double limit, double dlimit) {
  dx = x > limit ? 2 * dlimit : 3 * dx;
  clampTo(x, limit);
}
template struct isozyme::rule<clampTo>::tangent<clampTangent>;

int main() {
  auto useRounded = [](double x) { return rounded(x, 3) * 2; };
  CHECK("rounded", grad(useRounded)(2.0), 24);
  CHECK("rounded.tangent", jvp(useRounded, at(2.0), along(1.0)).tangent, 24);
  CHECK("rounded.value", jvp(useRounded, at(2.0), along(1.0)).value, 16);
  auto [gx, gy] = grad([](double x, double y) { return steps(x * x, y); })(2.0, 5.0);
  CHECK("steps.x", gx, 20);
  CHECK("steps.y", gy, 4);
  CHECK("whole.tangent", jvp([](double x) { return whole(x); }, at(2.0), along(1.0)).tangent, 10);
  CHECK("whole", grad([](double x) { return whole(x); })(2.0), 100);
  std::vector<double> x{3, 4};
  auto useNorm = [](const std::vector<double> &x) { return 2 * Norm::of(x.data(), 2); };
  auto g = grad(useNorm)(x);
  CHECK_AT("norm", 0, g[0], 14 * 0.6);
  CHECK_AT("norm", 1, g[1], 14 * 0.8);
  auto useClamp = [](double x, double limit) {
    clampTo(x, limit);
    return x;
  };
  CHECK("below", jvp(useClamp, at(1.0, 2.0), along(1.0, 1.0)).tangent, 3);
  CHECK("above", jvp(useClamp, at(3.0, 2.0), along(1.0, 1.0)).tangent, 2);
  return finish();
}
