// Hash tables whose keys are strings, short ones and some on the heap: a node keeps the hash beside the key, where
// the header that it is mistaken for keeps an address.
// UNSUPPORTED: memcheck-asan
// (What it adds keeps functions from being inlined, and then moves of nodes are an error: IZ203.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <string>
#include <unordered_map>

static double named(const double *in, int n) {
  std::unordered_map<std::string, double> m;
  m["alpha"] = in[0] * in[1];
  m["a name that is too long to lie in the string itself"] = in[2] * in[2];
  m["beta"] = in[n - 1];
  m["beta"] *= m["alpha"];
  double sum = 0;
  for (auto &[name, value] : m)
    sum += double(name.size()) * value * value;
  return sum * m.at("beta");
}

struct Part {
  double price, weight;
  int count;
};

static double records(const double *in, int n) {
  std::unordered_map<std::string, Part> parts;
  parts["bolt"] = {in[0], in[1], 3};
  parts["a plate that has more letters than there is room for"] = {in[2], in[n - 1], 2};
  parts["bolt"].weight *= in[3];
  double sum = 0;
  for (auto &[name, part] : parts)
    sum += part.price * part.weight * part.count * double(name.size());
  return sum;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, named, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, records, 6, x, t, 6);
  return finish();
}
