// isozyme::rule for members, one of several functions of a name, and structs by value; every
// derivative is wrong on purpose, so that it tells.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2 --flag=-I%include --flag=-std=c++20 --flag=-Wall --flag=-Wextra --flag=-Werror %s
#include "check.h"
#include <isozyme/isozyme.hpp>
using namespace isozyme;
struct Scale {
  double factor = 3;
  double by(double x) const { return x * factor; }
  void grow(double x) noexcept { factor *= x; }
  double twice(double x) const { return 2 * x; }
  int twice(int x) const { return 2 * x; }
};
static value_and_tangent<double> byTangent(const Scale &s, const Scale &ds, double x, double dx) {
  return {s.by(x), 10 * s.factor * dx + 100 * x * ds.factor};
}
template struct isozyme::rule<&Scale::by>::tangent<byTangent>;
static double byAugmented(const Scale &s, const Scale &, double x) { return s.by(x); }
static double byReverse(const Scale &s, const Scale &ds, double x, double seed) {
  const_cast<Scale &>(ds).factor += 100 * x * seed;
  return 10 * s.factor * seed;
}
template struct isozyme::rule<&Scale::by>::reverse<byAugmented, byReverse>;
static void growTangent(Scale &s, Scale &ds, double x, double dx) {
  ds.factor = 10 * ds.factor * x + 100 * s.factor * dx;
  s.factor *= x;
}
template struct isozyme::rule<&Scale::grow>::tangent<growTangent>;
static value_and_tangent<double> twiceTangent(const Scale &, const Scale &, double x, double dx) { return {2 * x, 7 * dx}; }
template struct isozyme::rule<overload<double(double) const>(&Scale::twice)>::tangent<twiceTangent>;
static double over(double x) { return x; }
static float over(float x) { return x; }
static value_and_tangent<double> overTangent(double x, double dx) { return {x, 5 * dx}; }
template struct isozyme::rule<overload<double(double)>(over)>::tangent<overTangent>;
struct Two { double a, b; };
static double dot(Two s, double z) { return s.a * s.b * z; }
static value_and_tangent<double> dotTangent(Two s, Two ds, double z, double dz) { return {dot(s, z), 10 * s.b * z * ds.a + 20 * s.a * z * ds.b + 30 * s.a * s.b * dz}; }
struct TwoAnd { Two s; double z; };
template struct isozyme::rule<dot>::tangent<dotTangent>;
template struct isozyme::rule<dot>::reverse<+[](Two s, double z) { return dot(s, z); }, +[](Two s, double z, double seed) { return TwoAnd{{10*s.b*z*seed, 20*s.a*z*seed}, 30*s.a*s.b*seed}; }>;
int main() {
  auto useBy = [](double x, double y) { Scale s{y}; return s.by(x); };
  CHECK("by.x", jvp(useBy, at(2.0, 3.0), along(1.0, 0.0)).tangent, 30);
  CHECK("by.y", jvp(useBy, at(2.0, 3.0), along(0.0, 1.0)).tangent, 200);
  auto [gx, gy] = grad(useBy)(2.0, 3.0);
  CHECK("by.gx", gx, 30); CHECK("by.gy", gy, 200);
  auto useGrow = [](double x, double y) { Scale s{y}; s.grow(x); return s.factor; };
  CHECK("grow", jvp(useGrow, at(2.0, 3.0), along(1.0, 1.0)).tangent, 20 + 300);
  CHECK("twice", jvp([](double x) { return Scale().twice(x); }, at(2.0), along(1.0)).tangent, 7);
  CHECK("over", jvp([](double x) { return over(x) + over(float(x)); }, at(2.0), along(1.0)).tangent, 6);
  auto useDot = [](double x, double y) { return dot(Two{x, y}, 1.0); };
  CHECK("dot", jvp(useDot, at(2.0, 3.0), along(1.0, 0.0)).tangent, 30);
  auto [dx, dy] = grad(useDot)(2.0, 3.0);
  CHECK("dot.gx", dx, 30); CHECK("dot.gy", dy, 40);
  return finish();
}
