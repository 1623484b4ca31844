// A culprit in the library's headers: the user's own line comes first, with what works instead of that part of the
// library; a note shows the library's line. Which flags would help is said only where they are not there.
// RUN: not %clangxx -std=c++20 -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINES --implicit-check-not='compile with'
// RUN: not %clangxx -std=c++20 -O2 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not %clangxx -std=c++20 -O0 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RAW
// RUN: not %clangxx -std=c++20 -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEVEL
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
template <typename... A> void __enzyme_autodiff(void *, A...);
extern int enzyme_dup, enzyme_const;

struct Record {
  double key, weight;
  char name[9];
};
double sorted(const double *x, int n) {
  std::vector<Record> records;
  for (int i = 0; i < n; i++)
    records.push_back({x[i], x[i] * x[i], "one"});
  // LINES: library-code.cpp:[[@LINE+4]]:3: error: in 'std::sort<...>(...)', which is called here: cannot deduce what {{.*}}; sort indices, or pointers to the records, instead of the records themselves [IZ203]
  // LINES: bits/stl_{{.*}}.h:{{[0-9]+}}:{{[0-9]+}}: note: the code of the library that this is about
  // NAMES: error: in 'std::{{.*}}', which is called here: cannot deduce what {{.*}}; sort indices, {{.*}} [IZ203]
  // RAW: error: in 'std::{{.*}}', which is called here: cannot deduce what {{.*}}; sort indices, {{.*}} [IZ203]
  std::sort(records.begin(), records.end(), [](const Record &a, const Record &b) { return a.key < b.key; });
  return records[0].weight + records[n - 1].key * records[n - 1].name[0];
}
double hashed(const double *x, int n) {
  std::unordered_map<std::string, std::pair<const double *, double>> table;
  // LEVEL: error: in 'std::unordered_map<...>::{{.*}}', which is called here: {{.*}}; use a std::vector, or std::map and its operator[] [IZ203]
  table["first"] = {x, x[1]};
  return table["first"].first[0] * table["first"].second * x[n - 1];
}
double copied(const double *x, int) {
  std::map<double, std::variant<double, char, std::string>> table;
  table[x[0]] = x[1];
  table[x[2]] = 'c';
  // RAW: error: in 'std::{{.*}}', which is called here: {{.*}}; compile with -O1 or higher, or use a std::map of numbers and its operator[] [IZ202]
  // LEVEL: library-code.cpp:[[@LINE+1]]:{{[0-9]+}}: error: in 'std::map<...>::map(...)', which is called here: {{.*}}; compile with -O1 or higher, or use a std::map of numbers and its operator[] [IZ202]
  auto copy = table;
  return std::get<double>(copy[x[0]]);
}
// RAW: error: cannot deduce {{.*}}, or compile with -g or with -O1 or higher, which tells Isozyme more about types [IZ203]
void moved(const void *from, void *to) { __builtin_memcpy(to, from, 16); }
void derivatives(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sorted, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)hashed, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)copied, enzyme_dup, x, dx, n);
}
void moves(void *from, void *by_from, void *to, void *by_to) {
  __enzyme_autodiff((void *)moved, enzyme_dup, from, by_from, enzyme_dup, to, by_to);
}
