// Maps of records that are copied and swapped: functions of the library hand on which of two children of a node it is,
// and a copy of a record moves what fills it up.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-Os,-O2/-O3 --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <map>
#include <string>

struct Share {
  double part;
  const double *price;
  int count;
};
static double copied(const double *in, int n) {
  std::map<std::string, Share> table;
  for (int i = 0; i < n; i++)
    table["share " + std::to_string(i)] = {in[i], in + i / 2, i};
  table.erase("share 2");
  std::map<std::string, Share> copy = table;
  copy["share 1"].part *= in[0];
  copy.swap(table);
  double sum = 0;
  for (auto &[name, share] : table)
    sum += sin(share.part * *share.price) * share.count;
  return sum + copy["share 1"].part * double(copy.size());
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, copied, 6, x, t, 6);
  return finish();
}
