// Vectors, and records with several of them, that are put into hash tables by every function but operator[]. The
// tables' own pointers and those of the vectors lie among each other; alias metadata tells which lead to numbers. There
// is none at -O0 (docs/limits.md).
// UNSUPPORTED: memcheck
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-Os/-O2,-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <string>
#include <unordered_map>
#include <vector>

struct Layer {
  std::vector<double> weights, biases;
  double scale;
  int number;
};

static double inserted(const double *in, int n) {
  std::unordered_map<int, std::vector<double>> rows;
  for (int i = 0; i < n; i++)
    rows.insert({7 * i, std::vector<double>(in + i, in + n)});
  for (int i = 0; i < n; i++)
    rows.insert_or_assign(14 * i, std::vector<double>{in[i], in[0] * in[i]});
  double sum = 0;
  for (auto &[key, row] : rows)
    for (double v : row)
      sum += sin(v) * (key + 1);
  return sum;
}

static double emplaced(const double *in, int n) {
  std::unordered_map<int, std::vector<double>> rows;
  for (int i = 0; i < n; i++) {
    rows.emplace(7 * i, std::vector<double>(in + i, in + n));
    rows.try_emplace(3 * i, 2, in[i]);
  }
  rows.erase(7);
  double sum = 0;
  for (int k = 0; k < n; k++)
    for (double v : rows.at(3 * k))
      sum = sum * v + v * (k + 1);
  return sum + rows.size() * in[0];
}

static double byName(const double *in, int n) {
  std::unordered_map<std::string, Layer> net;
  const char *names[] = {"first layer of the network", "hidden", "out"};
  for (int k = 0; k < 3; k++)
    net.emplace(names[k], Layer{{in, in + n}, {in[k], in[k + 1] * in[k]}, in[k + 2], k});
  double a = 0.3;
  for (const char *name : names) {
    Layer &l = net.at(name);
    double z = l.biases[0] + l.biases[1];
    for (double w : l.weights)
      z += w * a;
    a = tanh(l.scale * z / n) + l.number * a;
  }
  return a;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.5, 1.5);
  fill(t, 6, 4, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, inserted, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, emplaced, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, byName, 6, x, t, 6);
  return finish();
}
