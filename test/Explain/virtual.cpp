// What is behind the end of a base class, whose pointer the program has, are members of the class whose method was
// called. A loop that runs once or twice says so.
// RUN: %clangxx -std=c++20 -O2 -g -mllvm -isozyme-explain=%t.txt -c %s -o /dev/null
// RUN: FileCheck --input-file=%t.txt %s --implicit-check-not=_vptr --implicit-check-not=this[
// CHECK: call: this->vtable[2]: should the pointer lead to a function
#include <isozyme/isozyme.h>
#include <memory>
#include <vector>
double __enzyme_autodiff(void *, ...);

struct Layer {
  virtual ~Layer() = default;
  virtual double operator()(double x) const = 0;
};
struct Series : Layer {
  std::vector<double> weights;
  int count;
  Series(const double *w, int n) : weights(w, w + n), count(n) {}
  double operator()(double x) const override {
    double sum = 0;
    // CHECK: loop: i, this->count times
    // CHECK: reverse: this.shadow->weights[i] += {{.*}}
    for (int i = 0; i < count; ++i)
      sum = sum * x + weights[i];
    return sum;
  }
};
struct Shift : Layer {
  double operator()(double x) const override { return x + 1; }
};
double net(const double *w, double x) {
  std::vector<std::unique_ptr<Layer>> layers;
  layers.push_back(std::make_unique<Series>(w, 3));
  layers.push_back(std::make_unique<Shift>());
  layers.push_back(std::make_unique<Series>(w + 3, 4));
  for (const auto &layer : layers)
    x = (*layer)(x);
  return x;
}
void slope(const double *w, double *dw) { __enzyme_autodiff((void *)net, enzyme_dup, w, dw, enzyme_const, 0.5); }
