// Hash tables of libstdc++ whose values are records, vectors, tables and addresses of the caller's numbers, by
// every way to put them there. What is put into a new node is told from the header that the node is linked to.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3,-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <string>
#include <unordered_map>
#include <vector>

struct Record {
  double a, b;
  int number;
};
using Records = std::unordered_map<int, Record>;

static double summed(const Records &records) {
  double sum = 0;
  for (auto &[key, r] : records)
    sum += key * r.a * r.b + r.number * r.a;
  return sum;
}
static Record made(const double *in, int n, int i) { return {in[i % n], in[(i + 1) % n] * i, i}; }

static double emplaced(const double *in, int n) {
  Records records;
  for (int i = 0; i < 3 * n; i++)
    records.emplace(11 * i % 17, made(in, n, i));
  return summed(records);
}
static double tried(const double *in, int n) {
  Records records;
  for (int i = 0; i < 3 * n; i++)
    records.try_emplace(11 * i % 17, made(in, n, i));
  return summed(records);
}

using Numbers = std::vector<double>;

static double pushed(const double *in, int n) {
  std::unordered_map<int, Numbers> lists;
  for (int i = 0; i < 3 * n; i++)
    lists[7 * i % 5].push_back(in[i % n] * in[(i + 1) % n]);
  double sum = 0;
  for (auto &[key, numbers] : lists)
    for (double number : numbers)
      sum += (key + 1) * number * number;
  lists.erase(2);
  auto found = lists.find(3);
  return found == lists.end() ? sum : sum + found->second[0] * in[0];
}
static double named(const double *in, int n) {
  std::unordered_map<std::string, Numbers> lists;
  for (int i = 0; i < 3 * n; i++)
    lists[std::to_string(7 * i % 5)].push_back(in[i % n] * in[(i + 1) % n]);
  double sum = 0;
  for (int k = 0; k < 5; k++)
    for (double number : lists[std::to_string(k)])
      sum += (k + 1) * number * number;
  return sum;
}
static double nested(const double *in, int n) {
  std::unordered_map<int, std::unordered_map<int, double>> rows;
  for (int i = 0; i < 3 * n; i++)
    rows[i % 3][7 * i % 5] += in[i % n] * in[(i + 1) % n];
  double sum = 0;
  for (auto &[i, row] : rows)
    for (auto &[k, number] : row)
      sum += (i + 1) * (k + 2) * number * number;
  return sum;
}
static double addressed(const double *in, int n) {
  std::unordered_map<int, const double *> places;
  for (int i = 0; i < n; i++)
    places[11 * i % 17] = in + i;
  places.emplace(18, in + 1);
  double sum = 0;
  for (auto &[key, place] : places)
    sum += (key + 1) * *place * *place;
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, emplaced, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, tried, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, pushed, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, named, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, nested, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, addressed, 6, x, t, 6);
  return finish();
}
