// Records and text in hash tables, trees and lists that the function makes for itself: where memory is set to zero
// of which types cannot tell what it holds (headers, tables of buckets), its shadow is.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan --parts 2 --flag=-std=c++20 %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --keep plan --parts 2 --flag=-std=c++20 --flag=-g %s
#include "check.h"
#include <deque>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

struct Point {
  int number;
  double a, b;
};
struct Record {
  std::string name;
  double weight, value;
  int number;
};
static double numbered(const double *in, int n) {
  std::unordered_map<int, Point> points;
  for (int i = 0; i < n; i++)
    points[7 * i % 11] = Point{i, in[i], in[i] * in[1]};
  double sum = 0;
  for (auto &[key, p] : points)
    sum += (key + 1) * p.a * p.b;
  points.erase(7);
  for (auto &[key, p] : points)
    sum += p.b;
  points.clear();
  points[3].b = in[2] * in[3];
  return sum + points[3].b * points[3].b;
}
/// Behind the count of each record are four bytes that nobody reads.
struct Total {
  double sum;
  const double *last;
  int count;
};
static double totals(const double *in, int n) {
  std::map<std::string, Total> totals;
  for (int i = 0; i < n; i++) {
    Total &t = totals[i % 2 ? "odd" : "even"];
    t.sum += in[i] * in[i];
    t.last = &in[i];
    t.count++;
  }
  double sum = 0;
  for (auto &[key, t] : totals)
    sum += t.sum * *t.last * t.count;
  return sum;
}
static double named(const double *in, int n) {
  std::unordered_map<std::string, double> values;
  for (int i = 0; i < 3 * n; i++)
    values["k" + std::to_string(i % 4)] += in[i % n] * in[(i + 1) % n];
  double sum = values["k1"] * values.at("k2");
  for (auto &[key, value] : values)
    sum += value * value * key.size();
  return sum;
}
static double emplaced(const double *in, int n) {
  std::unordered_map<std::string, Record> records;
  for (int i = 0; i < n; i++)
    records.emplace("key" + std::to_string(i), Record{"name", in[i], in[i] * in[1], i});
  double sum = records.find("key2")->second.weight;
  for (auto &[key, r] : records)
    sum += r.weight * r.value * (r.number + 1);
  return sum;
}
static double treed(const double *in, int n) {
  std::map<std::string, Record> records;
  for (int i = 0; i < n; i++)
    records["k" + std::to_string(i)] = {"record", in[i], in[i] * in[0], i};
  double sum = 0;
  for (auto &[key, r] : records)
    sum += r.weight * r.value * (r.number + 1);
  records.erase("k3");
  for (auto &[key, r] : records)
    sum += r.weight;
  return sum;
}
static double rows(const double *in, int n) {
  std::vector<std::map<int, double>> rows(3);
  for (int i = 0; i < 3 * n; i++)
    rows[i % 3][5 * i % 7] += in[i % n] * in[(i + 1) % n];
  double sum = 0;
  for (auto &row : rows)
    for (auto &[column, value] : row)
      sum += (column + 1) * value * value;
  return sum;
}
static double ordered(const double *in, int n) {
  std::deque<double> queue;
  for (int i = 0; i < n; i++)
    queue.push_back(in[i] * in[(i + 1) % n]);
  std::set<double> set(queue.begin(), queue.end());
  double sum = 0, weight = 1;
  for (double v : set)
    sum += (weight *= 0.8) * v * v;
  return sum;
}
struct Cache {
  std::list<std::pair<int, double>> items;
  std::unordered_map<int, std::list<std::pair<int, double>>::iterator> places;
  double get(int key, const double *in) {
    auto found = places.find(key);
    if (found != places.end()) {
      items.splice(items.begin(), items, found->second);
      return found->second->second;
    }
    items.push_front({key, in[key] * in[key]});
    places[key] = items.begin();
    if (items.size() > 3) {
      places.erase(items.back().first);
      items.pop_back();
    }
    return items.front().second;
  }
};
static double cached(const double *in, int n) {
  Cache cache;
  double sum = 0;
  for (int i = 0; i < 20; i++)
    sum = 0.8 * sum + cache.get((i * i + i / 3) % n, in);
  return sum;
}
/// The keys of the nodes are where the tree itself counts.
static double ranked(const double *in, int n) {
  std::multimap<double, int> places;
  for (int i = 0; i < n; i++)
    places.insert({in[i] * in[i], i});
  double sum = 0;
  int rank = 1;
  for (auto &[key, place] : places)
    sum += rank++ * key * in[place];
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  if (IN_PART(0)) {
    CHECK_FUNCTION_WITHIN(1e-4, numbered, 6, x, t, 6);
    // Forward mode does not know whether the hashes that are kept in nodes are numbers.
    double d[6] = {0}, e[6] = {0};
    __enzyme_autodiff<void>((void *)named, enzyme_dup, x, d, enzyme_const, 6);
    CHECK_SLOPES_WITHIN(1e-4, "named", 6, x, d, named(x, 6));
    __enzyme_autodiff<void>((void *)emplaced, enzyme_dup, x, e, enzyme_const, 6);
    CHECK_SLOPES_WITHIN(1e-4, "emplaced", 6, x, e, emplaced(x, 6));
  }
  if (IN_PART(1)) {
    CHECK_FUNCTION_WITHIN(1e-4, treed, 6, x, t, 6);
    CHECK_FUNCTION_WITHIN(1e-4, totals, 6, x, t, 6);
    CHECK_FUNCTION_WITHIN(1e-4, rows, 6, x, t, 6);
    CHECK_FUNCTION_WITHIN(1e-4, ordered, 6, x, t, 6);
    CHECK_FUNCTION_WITHIN(1e-4, cached, 6, x, t, 6);
    CHECK_FUNCTION_WITHIN(1e-4, ranked, 6, x, t, 6);
  }
  return finish();
}
