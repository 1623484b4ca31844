// Maps whose values are vectors, or records with vectors and strings, and sets of records: what is copied and moved into
// the nodes of the tree keeps its types, at every level and without the types that -g tells.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan %s
#include "check.h"
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using Numbers = std::vector<double>;

static double sumOfSquares(const Numbers &v) {
  double sum = 0;
  for (double x : v)
    sum += x * x;
  return sum;
}
double assigned(const double *x) {
  std::map<std::string, Numbers> m;
  m["first"] = Numbers(x, x + 2);
  m["a name that is too long for the string itself"] = Numbers{x[2] * x[3]};
  double sum = 0;
  for (auto &[name, v] : m)
    sum += sumOfSquares(v) * name.size();
  return sum * m.at("first")[0];
}
double emplaced(const double *x) {
  std::map<int, Numbers> m;
  Numbers both(x, x + 2), rest(x + 2, x + 4);
  m.emplace(5, both);
  m[3] = std::move(rest);
  m.insert({4, both});
  double sum = 0;
  for (auto &[key, v] : m)
    sum += key * sumOfSquares(v);
  return sum;
}
struct Parameter {
  std::string name;
  double value;
  bool fixed;
  Numbers history;
};
double ofRecords(const double *x) {
  std::map<std::string, Parameter> m;
  m["a"] = {"mass", x[0], false, Numbers(x, x + 4)};
  m["b"] = Parameter{"rate", x[1], true, {x[1], x[2]}};
  double sum = 0;
  for (auto &[key, p] : m) {
    sum += p.value * p.value;
    if (!p.fixed)
      sum += sumOfSquares(p.history);
  }
  return sum * m.at("a").value;
}

// Records in the nodes of a set, and of maps that they are inserted into.
struct Event {
  double time, energy;
  int detector;
  bool operator<(const Event &other) const { return time < other.time; }
};
double inserted(const double *x) {
  std::set<Event> events;
  std::map<double, Event> byTime;
  std::map<int, Event> byDetector;
  for (int i = 0; i < 4; i++) {
    Event e{x[i], x[i] * x[i], i};
    events.insert(e);
    byTime.insert({x[i], e});
    byDetector.insert({3 - i, e});
  }
  double sum = 0;
  for (auto &e : events)
    sum = 0.5 * sum + e.time * e.energy * (e.detector + 1);
  for (auto &[time, e] : byTime)
    sum = 0.5 * sum + time * e.energy * (e.detector + 1);
  for (auto &[detector, e] : byDetector)
    sum = 0.5 * sum + e.energy * detector;
  return sum * byTime.lower_bound(0.5)->second.time;
}

int main() {
  double x[4] = {1.5, 0.3, -0.7, 2};
  double d[4] = {0};
  __enzyme_autodiff<void>((void *)assigned, enzyme_dup, x, d);
  CHECK_SLOPES("assigned", 4, x, d, assigned(x));
  double e[4] = {0};
  __enzyme_autodiff<void>((void *)emplaced, enzyme_dup, x, e);
  CHECK_SLOPES("emplaced", 4, x, e, emplaced(x));
  double r[4] = {0};
  __enzyme_autodiff<void>((void *)ofRecords, enzyme_dup, x, r);
  CHECK_SLOPES("records", 4, x, r, ofRecords(x));
  double i[4] = {0};
  __enzyme_autodiff<void>((void *)inserted, enzyme_dup, x, i);
  CHECK_SLOPES("inserted", 4, x, i, inserted(x));
  return finish();
}
