// <enzyme/enzyme>: every mode and every kind of argument, function objects, classes.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%include --flag=-Wall --flag=-Wextra --flag=-Werror %s
#include "check.h"
#include <enzyme/enzyme>
#include <enzyme/utils>

using enzyme::get;

static double square(double x) { return x * x; }
static float squareFloat(float x) noexcept { return x * x; }
static double product(double x, double y) { return x * x * y; }
static double product(double x, double y, double z) { return x * x * y * z; }
static double weighted(double x, int n) { return n * sin(x); }
static void into(const double &x, double &out) { out = sin(x) * x; }
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

struct Point {
  double x, y, z;
};
static double volume(Point p, double scale) { return p.x * p.y * p.z * scale; }
static Point curve(double t) { return {t, t * t, sin(t)}; }
static double lengthOf(const Point &p) { return sqrt(p.x * p.x + p.y * p.y + p.z * p.z); }

struct Spring {
  double stiffness;
  double operator()(double x, double offset) const {
    return stiffness * (x - offset) * (x - offset);
  }
};

static void reverse() {
  auto [g] = enzyme::autodiff<enzyme::Reverse>(square, enzyme::Active<double>{3.0});
  CHECK("square", get<0>(g), 6);
  auto [gf] = enzyme::autodiff<enzyme::Reverse>(squareFloat, enzyme::Active{3.0f});
  CHECK("squareFloat", get<0>(gf), 6);
  auto [two] = enzyme::autodiff<enzyme::Reverse>(
      static_cast<double (*)(double, double)>(product), enzyme::Active{3.0}, enzyme::Active{2.0});
  CHECK("product.x", get<0>(two), 12);
  CHECK("product.y", get<1>(two), 9);
  auto [three] = enzyme::autodiff<enzyme::Reverse>(
      static_cast<double (*)(double, double, double)>(product), enzyme::Active{3.0},
      enzyme::Const{2.0}, enzyme::Active{5.0});
  CHECK("three.x", get<0>(three), 60);
  CHECK("three.z", get<2>(three), 18);
  static_assert(std::is_same_v<std::decay_t<decltype(get<1>(three))>, enzyme::nodiff>);
  auto [gw, value] = enzyme::autodiff<enzyme::ReverseWithPrimal>(weighted, enzyme::Active{0.5},
                                                                 enzyme::Const<int>{3});
  CHECK("weighted", get<0>(gw), 3 * cos(0.5));
  CHECK("weighted.value", value, 3 * sin(0.5));

  double x = 0.5, dx = 0, out = 0, dout = 2;
  enzyme::autodiff<enzyme::Reverse>(into, enzyme::Duplicated<const double &>{x, dx},
                                    enzyme::Duplicated<double &>{out, dout});
  CHECK("into", dx, 2 * (cos(0.5) * 0.5 + sin(0.5)));
  CHECK("into.out", out, sin(0.5) * 0.5);
  dx = 0, dout = 1;
  enzyme::autodiff<enzyme::Reverse>(into, enzyme::Duplicated<const double &>{x, dx},
                                    enzyme::DuplicatedNoNeed<double &>{out, dout});
  CHECK("into.noneed", dx, cos(0.5) * 0.5 + sin(0.5));

  double v[] = {1, 2, 3}, dv[3] = {};
  auto [none, total] = enzyme::autodiff<enzyme::ReverseWithPrimal>(
      sum, enzyme::Duplicated<const double *>{v, dv}, enzyme::Const{3});
  static_assert(std::is_same_v<std::decay_t<decltype(get<0>(none))>, enzyme::nodiff>);
  CHECK("sum", total, 14);
  CHECK("sum[2]", dv[2], 6);
}

static void classes() {
  auto [g] = enzyme::autodiff<enzyme::Reverse>(volume, enzyme::Active<Point>({2, 3, 5}),
                                               enzyme::Active{7.0});
  CHECK("volume.x", get<0>(g).x, 105);
  CHECK("volume.z", get<0>(g).z, 42);
  CHECK("volume.scale", get<1>(g), 30);
  Point p{2, 3, 6}, dp{};
  enzyme::autodiff<enzyme::Reverse>(lengthOf, enzyme::Duplicated<const Point &>{p, dp});
  CHECK("length", dp.z, 6.0 / 7);
  auto [point, tangent] = enzyme::autodiff<enzyme::Forward, enzyme::Duplicated<Point>>(
      curve, enzyme::Duplicated{2.0, 1.0});
  CHECK("curve.y", point.y, 4);
  CHECK("curve.tangent", tangent.y, 4);
  CHECK("curve.tangent.z", tangent.z, cos(2.0));
  auto [only] = enzyme::autodiff<enzyme::Forward, enzyme::DuplicatedNoNeed<Point>>(
      curve, enzyme::Duplicated{2.0, 1.0});
  CHECK("curve.only", only.y, 4);
  auto [values] =
      enzyme::autodiff<enzyme::Forward>(curve, enzyme::Duplicated{2.0, 1.0});
  CHECK("curve.value", values.y, 4);
}

static void objects() {
  double scale = 5;
  auto [g] = enzyme::autodiff<enzyme::Reverse>(
      [&](double x, double y) { return scale * x * y * y; }, enzyme::Active{3.0},
      enzyme::Active{2.0});
  CHECK("lambda.x", get<0>(g), 20);
  CHECK("lambda.y", get<1>(g), 60);
  const Spring spring{4};
  auto [gs, energy] = enzyme::autodiff<enzyme::ReverseWithPrimal>(spring, enzyme::Active{3.0},
                                                                  enzyme::Const{1.0});
  CHECK("spring", get<0>(gs), 16);
  CHECK("spring.energy", energy, 16);
  auto generic = [](auto x) { return x * x * x; };
  auto [gg] = enzyme::autodiff<enzyme::Reverse>(generic, enzyme::Active{2.0});
  CHECK("generic", get<0>(gg), 12);
  CHECK("primal_call", enzyme::primal_call(spring, enzyme::Active{3.0}, enzyme::Const{1.0}), 16);
}

static void forward() {
  auto f = static_cast<double (*)(double, double)>(product);
  auto [t] = enzyme::autodiff<enzyme::Forward>(f, enzyme::Duplicated{3.0, 1.0}, enzyme::Const{2.0});
  CHECK("forward", t, 12);
  auto [v, both] = enzyme::autodiff<enzyme::Forward, enzyme::Duplicated<double>>(
      f, enzyme::Duplicated{3.0, 1.0}, enzyme::Duplicated{2.0, 1.0});
  CHECK("forward.value", v, 18);
  CHECK("forward.both", both, 21);
  auto [primal] = enzyme::autodiff<enzyme::Forward, enzyme::Const<double>>(
      f, enzyme::Duplicated{3.0, 1.0}, enzyme::Const{2.0});
  CHECK("forward.const", primal, 18);
  double x = 0.5, dx = 3, out, dout;
  enzyme::autodiff<enzyme::Forward>(into, enzyme::Duplicated<const double &>{x, dx},
                                    enzyme::Duplicated<double &>{out, dout});
  CHECK("forward.into", dout, 3 * (cos(0.5) * 0.5 + sin(0.5)));
}

int main() {
  reverse();
  classes();
  objects();
  forward();
  return finish();
}
