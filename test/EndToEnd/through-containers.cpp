// Functions that are called, and take containers and records of pointers by reference. What they read there is read again
// in the reverse sweep where their callers know that it stays; in all other programs here it does not: memory is
// overwritten by the caller, by the call itself, through a second name, a global variable, another call, a copy of the
// record, an address that was a number, a member beside it; or the container grows, and its old memory is gone.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1/-O2,-O3/-Os --keep plan --flag=-std=c++20 %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2 --keep plan --flag=-std=c++20 --flag=-fno-strict-aliasing --flag=-DWITHOUT_COUNTS %s
#include "check.h"
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#define CALLED __attribute__((noinline)) static

struct Table {
  int rows;
  double *at;
};
struct Model {
  std::vector<double> weights, offsets;
  double scale;
};

CALLED double energy(const std::vector<double> &v, double t) {
  double sum = 0;
  for (size_t i = 0; i + 1 < v.size(); i++)
    sum += std::sin(v[i] * v[i + 1]) * t * v[i];
  return sum;
}
CALLED void multiply(const Table &a, const std::vector<double> &x, std::vector<double> &y) {
  for (int i = 0; i < a.rows; i++) {
    double sum = 0;
    for (int j = 0; j < a.rows; j++)
      sum += a.at[(i * 3 + j) % 6] * x[j];
    y[i] = std::sin(sum);
  }
}
CALLED double evaluate(const Model &m, double t) {
  double sum = 0;
  for (size_t i = 0; i < m.weights.size(); i++)
    sum += m.weights[i] * std::exp(-m.offsets[i] * t) * m.scale;
  return sum;
}
CALLED void change(std::vector<double> &v, double by) {
  for (double &e : v)
    e = e * by + 0.1;
}
CALLED void point(Table &a, double *to) { a.at = to; }
CALLED std::vector<double> made(const double *in, int n) { return {in, in + n}; }

static double stays(const double *in, int n) {
  std::vector<double> v(in, in + n);
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += energy(v, 0.5 + k);
  return sum;
}
static double staysInRecord(const double *in, int n) {
  Model m;
  for (int i = 0; i < n / 2; i++) {
    m.weights.push_back(in[i]);
    m.offsets.push_back(in[n / 2 + i]);
  }
  m.scale = in[0];
  return evaluate(m, 0.3) * evaluate(m, 0.7);
}
static double power(const double *in, int n) {
  Table a{3, const_cast<double *>(in)};
  std::vector<double> x(3, 1.0), y(3);
  for (int k = 0; k < 4; k++) {
    multiply(a, x, y);
    for (int i = 0; i < 3; i++)
      x[i] = y[i] + 0.1;
  }
  return x[0] * x[1] + x[2];
}
static double sameVector(const double *in, int n) {
  Table a{3, const_cast<double *>(in)};
  std::vector<double> x(in, in + 3);
  multiply(a, x, x); // y is x
  multiply(a, x, x);
  return x[0] * x[1] * x[2];
}
static double tableIsVector(const double *in, int n) {
  std::vector<double> x(in, in + 6);
  Table a{3, x.data()};
  multiply(a, x, x); // all of them one memory
  return x[0] * x[1] * x[2] * x[4];
}
static double byCaller(const double *in, int n) {
  std::vector<double> v(in, in + n);
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    sum += energy(v, 0.5 + k);
    v[k] = std::cos(v[k + 1]) * sum;
  }
  return sum;
}
static double byCall(const double *in, int n) {
  std::vector<double> v(in, in + n);
  double first = energy(v, 0.5);
  change(v, first);
  double second = energy(v, 0.7);
  change(v, second);
  return first * second + v[1];
}
static double bySecondName(const double *in, int n) {
  std::vector<double> v(in, in + n);
  double *name = v.data() + 1;
  Table a{3, name};
  double first = energy(v, 0.5);
  a.at[1] = first;
  point(a, v.data());
  a.at[0] *= a.at[2];
  return first * energy(v, 0.3);
}
static double *Shown;
CALLED void changeShown(double by) { Shown[1] = std::sin(Shown[1]) * by; }
static double byGlobal(const double *in, int n) {
  std::vector<double> v(in, in + n);
  Shown = v.data();
  double first = energy(v, 0.5);
  changeShown(first);
  return first * energy(v, 0.3);
}
static double byCopy(const double *in, int n) {
  std::vector<double> v(in, in + n);
  Table a{3, v.data()}, b;
  std::memcpy(&b, &a, sizeof b);
  std::vector<double> x(in, in + 3), y(3);
  multiply(a, x, y);
  b.at[2] = y[0] * b.at[1];
  multiply(b, x, y);
  return y[0] * y[1];
}
static double grows(const double *in, int n) {
  std::vector<double> v(in, in + 2);
  double sum = 0;
  for (int k = 2; k < n; k++) {
    sum += energy(v, 0.5 + sum);
    v.push_back(in[k] * sum);
  }
  return sum + energy(v, 0.1);
}
static double swapped(const double *in, int n) {
  std::vector<double> v(in, in + 3), w(in + 3, in + 6);
  Table a{3, const_cast<double *>(in)};
  for (int k = 0; k < 3; k++) {
    multiply(a, v, w);
    std::swap(v, w);
  }
  return v[0] * w[1] + energy(v, 0.2);
}
static double rows(const double *in, int n) {
  std::vector<std::vector<double>> table(3, std::vector<double>(in, in + 3));
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    sum += energy(table[k], 1.0);
    table[(k + 1) % 3][1] = sum;
    table[2] = table[k];
  }
  return sum;
}
static double replaced(const double *in, int n) {
  std::vector<double> v = made(in, 3);
  double first = energy(v, 0.5);
  v = made(in + 2, 4);
  double second = energy(v, first);
  v[0] = second;
  return energy(v, 0.4);
}
#ifndef WITHOUT_COUNTS // of references, which need tags
static double shared(const double *in, int n) {
  auto v = std::make_shared<std::vector<double>>(in, in + n);
  auto w = v;
  double first = energy(*v, 0.5);
  (*w)[1] = first;
  change(*w, first);
  return energy(*v, 0.7);
}
#endif
static double asNumber(const double *in, int n) {
  std::vector<double> v(in, in + n);
  std::uintptr_t number = reinterpret_cast<std::uintptr_t>(v.data());
  double first = energy(v, 0.5);
  reinterpret_cast<double *>(number)[1] = first;
  return first * energy(v, 0.3);
}
static double ended(const double *in, int n) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    std::vector<double> v(in + k, in + n);
    v[0] += sum;
    sum += energy(v, 0.5);
  } // its memory is released, and the next one may be there
  return sum;
}
struct Shape {
  virtual ~Shape() = default;
  virtual double of(double t) const = 0;
};
struct Curve : Shape {
  std::vector<double> c;
  Curve(const double *in, int n) : c(in, in + n) {}
  double of(double t) const override {
    double sum = 0;
    for (size_t i = 0; i < c.size(); i++)
      sum = sum * t + c[i] * c[i];
    return sum;
  }
};
CALLED double total(const std::vector<std::unique_ptr<Shape>> &shapes, double t) {
  double sum = 0;
  for (auto &s : shapes)
    sum += s->of(t) * s->of(-t);
  return sum;
}
static double shapes(const double *in, int n) {
  std::vector<std::unique_ptr<Shape>> all;
  all.push_back(std::make_unique<Curve>(in, 3));
  all.push_back(std::make_unique<Curve>(in + 2, 4));
  double first = total(all, 0.3);
  static_cast<Curve &>(*all[1]).c[1] = first;
  return first * total(all, 0.4);
}

// Two members of a local record. What is done to one says nothing of the other.
static double members(const double *in, int n) {
  Model m{{in, in + n}, {in, in + n}, in[0]};
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    sum += energy(m.weights, 0.5 + k);
    change(m.offsets, sum);
  }
  return sum + m.offsets[1];
}
// A function gets one of them, and reaches the other from there.
CALLED void changeBefore(std::vector<double> &offsets, double by) {
  auto *m = reinterpret_cast<Model *>(reinterpret_cast<char *>(&offsets) - sizeof offsets);
  change(m->weights, by);
}
static double reached(const double *in, int n) {
  Model m{{in, in + n}, {in, in + n}, in[0]};
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    sum += energy(m.weights, 0.5 + k);
    changeBefore(m.offsets, sum);
  }
  return sum;
}
static volatile int which = 0;
static double chosenMember(const double *in, int n) {
  Model m{{in, in + n}, {in, in + n}, in[0]};
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    sum += energy(m.weights, 0.5 + k);
    change((&m.weights)[which], sum);
  }
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, stays, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, staysInRecord, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, power, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, sameVector, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, tableIsVector, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, byCaller, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, byCall, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, bySecondName, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, byGlobal, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, byCopy, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, grows, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, swapped, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, rows, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, replaced, 6, x, t, 6);
#ifndef WITHOUT_COUNTS
  CHECK_FUNCTION_WITHIN(1e-4, shared, 6, x, t, 6);
#endif
  CHECK_FUNCTION_WITHIN(1e-4, asNumber, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, ended, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, shapes, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, members, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, reached, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, chosenMember, 6, x, t, 6);
  return finish();
}
