// dynamic_cast: down, to a second base, across, and to what the object is not; of pointers and references.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <memory>
#include <vector>

struct Material {
  virtual double respond(double x) const = 0;
  virtual ~Material() {}
};
struct Damped {
  double rate = 0;
  virtual double damping() const { return rate; }
  virtual ~Damped() {}
};
struct Spring : Material {
  double stiffness;
  Spring(double k) : stiffness(k) {}
  double respond(double x) const override { return stiffness * x; }
};
struct Damper : Material, Damped {
  double scale;
  Damper(double k, double r) : scale(k) { rate = r; }
  double respond(double x) const override { return scale * x * x; }
};

__attribute__((noinline)) static double extra(const Material &m) {
  double sum = 0;
  if (auto *spring = dynamic_cast<const Spring *>(&m))
    sum += spring->stiffness * spring->stiffness;
  if (auto *damped = dynamic_cast<const Damped *>(&m)) { // Across.
    sum += damped->damping() * damped->rate;
    sum *= dynamic_cast<const Damper &>(*damped).scale;
  }
  return sum;
}

static double model(const double *p) {
  std::vector<std::unique_ptr<Material>> parts;
  parts.push_back(std::make_unique<Spring>(p[0]));
  parts.push_back(std::make_unique<Damper>(p[1], p[2]));
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (auto &part : parts)
      sum += part->respond(1 + i) * extra(*part);
  return sum;
}

int main() {
  double p[3] = {0.8, 1.2, 0.7}, d[3] = {}, t[3] = {0.3, -0.5, 1.1};
  __enzyme_autodiff<void>((void *)model, enzyme_dup, p, d);
  for (int i = 0; i < 3; i++)
    CHECK_AT("gradient", i, d[i], SLOPE(p[i], model(p)));
  CHECK("tangent", __enzyme_fwddiff<double>((void *)model, enzyme_dup, p, t),
        d[0] * t[0] + d[1] * t[1] + d[2] * t[2]);
  return finish();
}
