// Directions and seeds of another size than they should have: a sentence, and no access outside.
// RUN: %clangxx -std=c++20 -O1 %s -o %t
// RUN: not --crash %t jvp 2>&1 | FileCheck --check-prefix=JVP %s
// RUN: not --crash %t hvp 2>&1 | FileCheck --check-prefix=HVP %s
// RUN: not --crash %t vjp 2>&1 | FileCheck --check-prefix=VJP %s
#include <isozyme/isozyme.hpp>

using list = std::vector<double>;
static list twice(const list &x) {
  list y = x;
  for (double &v : y)
    v *= 2;
  return y;
}
static double squares(const list &x) {
  double sum = 0;
  for (double v : x)
    sum += v * v;
  return sum;
}

int main(int, char **argv) {
  list x{1, 2, 3}, none;
  std::string_view what = argv[1];
  // JVP: isozyme: jvp: a direction has another size than the argument that it belongs to
  if (what == "jvp")
    return int(isozyme::jvp(twice, isozyme::at(x), isozyme::along(none)).value.size());
  // HVP: isozyme: hvp: the direction has another size than the list of variables
  if (what == "hvp")
    return int(isozyme::hvp(squares)(x, none)[0]);
  // VJP: isozyme: vjp: the seed has another size than the result of the function
  return int(isozyme::vjp(twice)(x).pullback(none)[0]);
}
