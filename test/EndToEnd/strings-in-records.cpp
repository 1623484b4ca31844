// Records with text beside their numbers, in containers. In C++20 unoptimised code has all of std::string in the
// file; it stays calls there.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1/-O2 --keep plan --flag=-std=c++20 %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0 --keep plan --flag=-std=c++20 --flag=-g %s
#include "check.h"
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <vector>

struct Record {
  std::string name;
  double weight, value;
  int number;
};
static double listed(const double *in, int n) {
  std::list<Record> records;
  for (int i = 0; i < n; i++)
    records.push_back({"a name that is long " + std::to_string(i), in[i], in[i] * in[(i + 1) % n], i});
  records.pop_front();
  double sum = 0, weight = 1;
  for (auto &r : records)
    sum += (weight *= 0.9) * r.weight * r.value * (r.number + 1) * r.name.size();
  return sum;
}
static double named(const double *in, int n) {
  std::map<std::string, double> values;
  for (int i = 0; i < 3 * n; i++)
    values["k" + std::to_string(i % 4)] += in[i % n] * in[(i + 1) % n];
  double sum = values["k1"] * values.at("k2");
  for (auto &[key, value] : values)
    sum += value * value * key.size();
  return sum;
}
struct Event {
  double time;
  std::string what;
  int number;
  bool operator<(const Event &other) const { return time > other.time; }
};
static double queued(const double *in, int n) {
  std::priority_queue<Event> events;
  for (int i = 0; i < n; i++)
    events.push({in[i] * in[i], "event", i});
  double sum = 0;
  for (int steps = 0; !events.empty() && steps < 12; steps++) {
    Event next = events.top();
    events.pop();
    sum = 0.7 * sum + next.time * (next.number + 1);
    if (steps < 5)
      events.push({next.time + in[next.number], next.what, next.number});
  }
  return sum;
}
struct Shape {
  std::string name;
  Shape(std::string name) : name(std::move(name)) {}
  virtual ~Shape() = default;
  virtual double area(double t) const = 0;
};
struct Circle : Shape {
  double radius;
  Circle(double r) : Shape("circle"), radius(r) {}
  double area(double t) const override { return radius * radius * t; }
};
struct Box : Shape {
  std::vector<double> edges;
  Box(double a, double b) : Shape("a box with a long name"), edges{a, b} {}
  double area(double t) const override { return edges[0] * edges[1] + t * edges[0]; }
};
static double drawn(const double *in, int n) {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i + 1 < n; i++)
    if (i % 2)
      shapes.push_back(std::make_unique<Circle>(in[i]));
    else
      shapes.push_back(std::make_unique<Box>(in[i], in[i + 1]));
  double sum = 0;
  for (auto &shape : shapes)
    sum += shape->area(in[0]) * shape->name.size();
  return sum;
}
static double spelled(const double *in, int n) { // What leads into a string leads to no number.
  struct {
    std::string text;
    double sum;
  } both{"", in[0]};
  for (int i = 0; i < n; i++) {
    both.text += char('a' + i);
    both.text[i / 2] = 'z';
    for (char c : both.text)
      both.sum += (c - 'a') * in[i] * in[i];
    if (both.text.data()[0] == 'z')
      both.sum *= in[1];
  }
  return both.sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, listed, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, named, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, queued, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, drawn, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, spelled, 6, x, t, 6);
  return finish();
}
