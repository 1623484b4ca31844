// Classes of one base, of which one has a vector of flags where others have a vector of numbers, or numbers. The iterators
// in a vector of flags are assigned without a name, and its memory, which needs no shadow, is released from its end.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1/-Os,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Layer {
  virtual ~Layer() = default;
  virtual double apply(double x) const = 0;
};
// By value: the numbers of a layer lie in front of its vector, or behind it, or nowhere.
template <int Before, int Behind> struct Dense : Layer {
  double before[Before + 1];
  std::vector<double> weights;
  double behind[Behind + 1];
  Dense(const double *in, int n) : weights(in, in + n) {
    for (double &b : before)
      b = in[0];
    for (double &b : behind)
      b = in[1];
  }
  double apply(double x) const override {
    double sum = before[Before] * behind[0];
    for (double w : weights)
      sum += tanh(w * x) + behind[Behind];
    return sum;
  }
};
struct Plain : Layer {
  std::vector<double> weights;
  Plain(const double *in, int n) : weights(in, in + n) {}
  double apply(double x) const override {
    double sum = 0;
    for (double w : weights)
      sum += sin(w * x);
    return sum;
  }
};
struct Gate : Layer {
  std::vector<bool> open;
  explicit Gate(int n) : open(n) {
    for (int i = 0; i < n; i++)
      open[i] = i % 3 != 1;
  }
  double apply(double x) const override {
    double sum = 0;
    for (size_t i = 0; i < open.size(); i++)
      if (open[i])
        sum += x / (i + 1);
    return sum;
  }
};
struct Table : Layer {
  std::vector<bool> on;
  std::string name;
  std::map<std::string, double> values;
  Table(const double *in, int n) : name("weight") {
    for (int i = 0; i < n; i++) {
      on.push_back(i % 2);
      values[name + std::to_string(i)] = in[i];
    }
  }
  double apply(double x) const override {
    double sum = 0;
    for (auto &[key, value] : values)
      sum += sin(value * x) * (on[1] ? double(key.size()) : 1);
    return sum;
  }
};
template <class Numbers> static double owned(const double *in, int n) {
  std::vector<std::unique_ptr<Layer>> layers;
  layers.push_back(std::make_unique<Numbers>(in, n));
  layers.push_back(std::make_unique<Gate>(n));
  layers.push_back(std::make_unique<Numbers>(in + 1, n - 1));
  layers.push_back(std::make_unique<Table>(in, n));
  double x = 0.3;
  for (auto &layer : layers)
    x = layer->apply(x);
  return x;
}
template <class Numbers> static double deleted(const double *in, int n) {
  std::vector<Layer *> layers{new Numbers(in, n), new Gate(n), new Numbers(in + 1, n - 1)};
  double x = 0.3;
  for (Layer *layer : layers)
    x = layer->apply(x);
  for (Layer *layer : layers)
    delete layer;
  return x;
}
static double plain(const double *in, int n) { return owned<Plain>(in, n); }
static double plainDeleted(const double *in, int n) { return deleted<Plain>(in, n); }
static double behindOne(const double *in, int n) { return owned<Dense<0, 2>>(in, n); }
static double behindFive(const double *in, int n) { return owned<Dense<4, 0>>(in, n); }
static double deletedOne(const double *in, int n) { return deleted<Dense<0, 0>>(in, n); }

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, plain, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, plainDeleted, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, behindOne, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, behindFive, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, deletedOne, 6, x, t, 6);
  return finish();
}
