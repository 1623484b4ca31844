// Two classes with one base that hold a number and an address at the same place: each object is
// called for what it is, and the code for the other class says nothing about it. LLVM does not
// tell member functions apart, whose addresses mean nothing.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --keep=plan --flag=-I%S/../EndToEnd %s
#include "check.h"

struct Law {
  virtual double at(double t) const = 0;
};
struct Line : Law {
  double slope, start;
  Line(double slope, double start) : slope(slope), start(start) {}
  double at(double t) const override { return slope * t * t + start; }
};
struct Table : Law {
  double scale;
  const double *values;
  Table(double scale, const double *values) : scale(scale), values(values) {}
  double at(double t) const override { return scale * t * values[3]; }
};

double objects(const double *x) {
  Line line(x[0], x[2]);
  Table table(x[1], x);
  const Law *first = &line, *second = &table;
  return first->at(x[1]) * second->at(x[2]);
}

template <class Function> struct Holder : Law {
  Function f;
  explicit Holder(Function f) : f(f) {}
  double at(double t) const override { return f(t); }
};
template <class Function> double held(Function f, double t) {
  Holder<Function> holder(f);
  const Law *law = &holder;
  return law->at(t);
}

double lambdas(const double *x) {
  double k = x[0], m = x[3];
  return held([k, m](double t) { return k * t * t + m; }, x[1]) *
         held([k, x](double t) { return k * t * x[3]; }, x[2]);
}

int main() {
  double x[4] = {0.7, 1.3, -0.4, 2.1}, t[4] = {1, -0.5, 0.25, 2};
  CHECK_FUNCTION(objects, 4, x, t);
  CHECK_FUNCTION(lambdas, 4, x, t);
  return finish();
}
