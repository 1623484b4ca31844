// A shadow with another number of elements than the constant list or map that a function refers to ends the program
// with the line of the call: its nodes would be looked for where the argument has them.
// RUN: %clangxx -std=c++20 -O0 -Rpass=no-pass %s -o %t
// RUN: %t | FileCheck %s --check-prefix=FINE
// RUN: not --crash %t map 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: not --crash %t hashed 2>&1 | FileCheck %s --check-prefix=HASHED
// RUN: not --crash %t rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not --crash %t list 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: %clangxx -std=c++20 -O2 -Rpass=no-pass %s -o %t
// RUN: %t | FileCheck %s --check-prefix=FINE
// RUN: not --crash %t map 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: not --crash %t hashed 2>&1 | FileCheck %s --check-prefix=HASHED
// RUN: not --crash %t rows 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not --crash %t list 2>&1 | FileCheck %s --check-prefix=LIST
#include <cstdio>
#include <cstring>
#include <isozyme/isozyme.h>
#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>
template <class... A> double __enzyme_autodiff(void *, A...);

double product(const std::map<std::string, double> &m) { return m.at("a") * m.at("b"); }
double hashed(const std::unordered_map<int, double> *m) { return m->at(1) * m->at(2); }
double rows(const std::map<int, std::vector<double>> &m) {
  double sum = 0;
  for (auto &[key, row] : m)
    for (double v : row)
      sum += key * v * v;
  return sum;
}
double norm(const std::list<double> &l) {
  double sum = 0;
  for (double v : l)
    sum += v * v;
  return sum;
}
// The library's containers with other places in memory, and those without numbers, are not looked at.
struct backward {
  long factor = -1;
  bool operator()(int a, int b) const { return factor * a < factor * b; }
};
double others(const std::map<int, double, backward> &m, const std::pmr::vector<double> &v,
              const std::map<int, int> &weights) {
  return m.at(1) * v[0] * weights.at(3);
}

int main(int count, char **words) {
  const char *word = count > 1 ? words[1] : "";
  auto is = [&](const char *wanted) { return !std::strcmp(word, wanted); };
  std::map<std::string, double> m{{"a", 2}, {"b", 3}}, dm{{"a", 0}, {"b", 0}};
  std::unordered_map<int, double> h{{1, 2}, {2, 3}}, dh{{1, 0}, {2, 0}};
  std::map<int, std::vector<double>> r{{1, {2, 3}}, {2, {4}}}, dr{{1, {0, 0}}, {2, {0}}};
  std::list<double> l{1, 2}, dl{0, 0};
  if (is("map"))
    dm.clear();
  if (is("hashed"))
    dh.erase(2);
  if (is("rows"))
    dr[3] = {};
  if (is("list"))
    dl.clear();
  // MAP: isozyme: {{.*}}container-sizes.cpp:[[@LINE+1]]: the shadow of argument 1 {{.*}}of 'product(std::map{{.*}})' has another number of elements than the argument; let it be a copy of the argument, with zeros for the numbers [IZ309]
  __enzyme_autodiff((void *)product, enzyme_dup, &m, &dm);
  // HASHED: isozyme: {{.*}}container-sizes.cpp:[[@LINE+1]]: the shadow of argument 1 {{.*}}of 'hashed(std::unordered_map{{.*}})' has another number of elements
  __enzyme_autodiff((void *)hashed, enzyme_dup, &h, &dh);
  // ROWS: isozyme: {{.*}}container-sizes.cpp:[[@LINE+1]]: the shadow of argument 1 {{.*}}of 'rows(std::map{{.*}})' has another number of elements
  __enzyme_autodiff((void *)rows, enzyme_dup, &r, &dr);
  // LIST: isozyme: {{.*}}container-sizes.cpp:[[@LINE+1]]: the shadow of argument 1 {{.*}}of 'norm(std::{{.*}}list{{.*}})' has another number of elements
  __enzyme_autodiff((void *)norm, enzyme_dup, &l, &dl);
  // FINE: 3 2, 3 2, 4 6 16, 2 4
  std::printf("%g %g, %g %g, %g %g %g, %g %g\n", dm["a"], dm["b"], dh[1], dh[2], dr[1][0], dr[1][1], dr[2][0],
              dl.front(), dl.back());
  std::map<int, double, backward> b{{1, 2}, {2, 3}}, db{{1, 0}, {2, 0}};
  std::pmr::vector<double> v{5, 6, 7}, dv{0, 0, 0};
  std::map<int, int> weights{{3, 10}};
  __enzyme_autodiff((void *)others, enzyme_dup, &b, &db, enzyme_dup, &v, &dv, enzyme_const, &weights);
  // FINE: 50 20
  std::printf("%g %g\n", db[1], dv[0]);
}
