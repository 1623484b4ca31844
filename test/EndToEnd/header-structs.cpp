// <isozyme/isozyme.hpp>: structs that hold vectors, maps, arrays, text and each other.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%include --flag=-std=c++20 --flag=-Wall --flag=-Wextra --flag=-Werror %s
#include "check.h"
#include <isozyme/isozyme.hpp>
#include <map>
#include <string>

struct Particle {
  int id;
  double x, v;
  std::string name;
};
struct Layer {
  std::vector<double> weights;
  double bias;
  int kind;
  double table[3];
};
struct Model {
  std::string name;
  int steps;
  double rate;
  Layer layer;
  std::vector<Layer> more;
  std::map<std::string, double> extra;
  std::vector<int> order;
  bool verbose;
};

static double energy(const std::vector<Particle> &particles, double dt) {
  std::vector<Particle> now = particles;
  for (int s = 0; s < 4; s++)
    for (Particle &p : now) {
      p.v -= dt * p.x;
      p.x += dt * p.v;
    }
  double sum = 0;
  for (const Particle &p : now)
    sum += (p.v * p.v + p.x * p.x) * p.id;
  return sum;
}

static double loss(const Model &m, const std::vector<double> &x) {
  double sum = 0;
  for (int s = 0; s < m.steps; s++)
    for (std::size_t i = 0; i < x.size(); i++) {
      double v = m.layer.weights[m.order[i]] * x[i] * m.rate + m.layer.bias * m.layer.table[i];
      for (const Layer &l : m.more)
        v += l.weights[i] * l.bias;
      sum += v * v;
    }
  for (const auto &[key, value] : m.extra)
    sum += value * value * key.size();
  return sum;
}

static const Layer layer{{1, 2, 3}, 0.5, 1, {0.1, 0.2, 0.3}};
static Model model{"m", 2, 0.7, layer, {layer, layer}, {{"a", 1.5}, {"bb", 2}}, {2, 1, 0}, true};
static const std::vector<double> x{0.3, 0.4, 0.5};

struct Pointing {
  double *p;
  std::vector<double> v;
};
struct Derived : Particle {
  double more;
};
static_assert(isozyme::differentiable<Model> && isozyme::differentiable<std::vector<Particle>>);
static_assert(!isozyme::differentiable<Pointing> && !isozyme::differentiable<Derived>);
static_assert(!isozyme::differentiable<std::string>);

int main() {
  std::vector<Particle> particles{{1, 0.1, 0.2, "a"}, {2, 0.3, 0.4, "b"}};
  auto [ofParticles, ofStep] = isozyme::grad(energy)(particles, 0.1);
  double dt = 0.1;
  CHECK("step", ofStep, SLOPE(dt, energy(particles, dt)));
  CHECK("particle", ofParticles[1].v, SLOPE(particles[1].v, energy(particles, dt)));
  CHECK("id", ofParticles[1].id, 2);

  Model g = std::get<0>(isozyme::grad(loss)(model, x));
  CHECK("rate", g.rate, SLOPE(model.rate, loss(model, x)));
  CHECK("weight", g.layer.weights[1], SLOPE(model.layer.weights[1], loss(model, x)));
  CHECK("table", g.layer.table[1], SLOPE(model.layer.table[1], loss(model, x)));
  CHECK("inner", g.more[1].weights[2], SLOPE(model.more[1].weights[2], loss(model, x)));
  CHECK("extra", g.extra["bb"], SLOPE(model.extra["bb"], loss(model, x)));

  Model along = isozyme::grad(loss)(model, isozyme::constant(x));
  double slope = isozyme::jvp(loss, isozyme::at(model, isozyme::constant(x)), isozyme::along(along)).tangent;
  double square = g.rate * g.rate;
  for (const Layer *l : {&g.layer, &g.more[0], &g.more[1]}) {
    square += l->bias * l->bias;
    for (int i = 0; i < 3; i++)
      square += l->weights[i] * l->weights[i] + l->table[i] * l->table[i];
  }
  for (const auto &[key, value] : g.extra)
    square += value * value;
  CHECK("along the gradient", slope, square);
  return finish();
}
