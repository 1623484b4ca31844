// The solar system of docs/examples/nbody, fewer steps: every unknown, at every level.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

#include "../../docs/examples/nbody/mismatch.hpp"
#include "../../docs/examples/nbody/simulator.cpp"

int main() {
  using namespace nbody;
  const System nominal = outerSolarSystem();
  System moving = nominal;
  const std::vector<Observation> seen = observe(moving, 240, 24);
  const int count = static_cast<int>(seen.size());
  double x[UnknownCount] = {1.2, 5.7, -4.0, -1.95}, dx[UnknownCount] = {};
  const double t[UnknownCount] = {1, -0.5, 0.25, 2};
  __enzyme_autodiff<void>((void *)mismatch, enzyme_dup, x, dx, enzyme_const, &nominal, enzyme_const,
                          seen.data(), enzyme_const, count);
  for (int i = 0; i < UnknownCount; ++i)
    CHECK_AT("unknown", i, dx[i], SLOPE(x[i], mismatch(x, &nominal, seen.data(), count)));
  CHECK("jvp",
        __enzyme_fwddiff<double>((void *)mismatch, enzyme_dup, x, t, enzyme_const, &nominal,
                                 enzyme_const, seen.data(), enzyme_const, count),
        innerProduct(t, dx, UnknownCount));
  return finish();
}
