// A class behind a pointer, whose constructor and destructor are in the file: where nothing is optimised, they are called
// by another name. A function object among its members.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

class Model {
  struct Parts;
  std::unique_ptr<Parts> parts;

public:
  Model(const double *weights, int n);
  ~Model();
  double run(double x) const;
};
struct Model::Parts {
  std::vector<double> weights;
  std::function<double(double)> activation;
  double bias;
};
Model::Model(const double *weights, int n) : parts(new Parts) {
  parts->weights.assign(weights, weights + n);
  parts->bias = weights[0] * weights[1];
  parts->activation = [scale = weights[2]](double x) { return std::tanh(scale * x); };
}
Model::~Model() = default;
double Model::run(double x) const {
  double sum = parts->bias;
  for (double weight : parts->weights)
    sum = parts->activation(sum + weight * x);
  return sum;
}
static double output(const double *x, int n) {
  Model model(x, n);
  return model.run(x[3]) + model.run(0.5);
}
int main() {
  double x[4], t[4];
  fill(x, 4, 3, 0.2, 1.2);
  fill(t, 4, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, output, 4, x, t, 4);
  return finish();
}
