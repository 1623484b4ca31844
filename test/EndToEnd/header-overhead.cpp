// The typed front end costs nothing: its optimised code is that of the raw calls.
// RUN: %clangxx -std=c++20 -O2 -DRAW -S -emit-llvm %s -o %t.raw.ll
// RUN: %clangxx -std=c++20 -O2 -S -emit-llvm %s -o %t.typed.ll
// RUN: llvm-diff-22 %t.raw.ll %t.typed.ll slope both tangent single gradient
// The comparison sees a difference where there is one:
// RUN: %clangxx -std=c++20 -O2 -DRAW -DOTHER -S -emit-llvm %s -o %t.other.ll
// RUN: not llvm-diff-22 %t.other.ll %t.typed.ll slope
#include <cmath>
#include <enzyme/enzyme>
#include <isozyme/isozyme.hpp>

template <typename R, typename... T> R __enzyme_autodiff_raw(void *, T...);
template <typename R, typename... T> R __enzyme_fwddiff_raw(void *, T...);

static double wave(double x, double y) { return std::sin(x) * y; }
static double norm(const std::vector<double> &x) {
  double s = 0;
  for (double v : x)
    s += v * v;
  return std::sqrt(s);
}

extern "C" {
#ifdef RAW
struct Two {
  double x, y;
};
#ifdef OTHER
static const double factor = 3;
#else
static const double factor = 2;
#endif
double slope(double x) {
  return __enzyme_autodiff_raw<double>((void *)wave, enzyme_out, x, enzyme_const, factor);
}
double both(double x, double y) {
  Two g = __enzyme_autodiff_raw<Two>((void *)wave, enzyme_out, x, enzyme_out, y);
  return g.x + g.y;
}
double tangent(double x, double y) {
  return __enzyme_fwddiff_raw<double>((void *)wave, enzyme_dup, x, 1.0, enzyme_dup, y, 0.5);
}
double single(double x) {
  return __enzyme_autodiff_raw<double>((void *)wave, enzyme_out, x, enzyme_const, 2.0);
}
void gradient(const std::vector<double> &x, std::vector<double> &g) {
  __enzyme_autodiff_raw<void>((void *)norm, enzyme_dup, &x, &g);
}
#else
double slope(double x) { return isozyme::grad(wave)(x, isozyme::constant(2.0)); }
double both(double x, double y) {
  auto [gx, gy] = isozyme::grad(wave)(x, y);
  return gx + gy;
}
double tangent(double x, double y) {
  return isozyme::jvp(wave, isozyme::at(x, y), isozyme::along(1.0, 0.5)).tangent;
}
double single(double x) {
  auto [g] = enzyme::autodiff<enzyme::Reverse>(wave, enzyme::Active{x}, enzyme::Const{2.0});
  return enzyme::get<0>(g);
}
void gradient(const std::vector<double> &x, std::vector<double> &g) {
  using list = const std::vector<double> &;
  enzyme::autodiff<enzyme::Reverse>(norm, enzyme::Duplicated<list>{x, g});
}
#endif
}
