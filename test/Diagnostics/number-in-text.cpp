// The text of a std::string has no shadow: a differentiated number that is kept there as bytes is an error, also where
// these are read one by one, as a text is.
// RUN: not %clangxx -std=c++20 -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++20 -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>
#include <cstring>
#include <string>

double __enzyme_autodiff(void *, ...);

static double copied(double x) {
  std::string text(32, ' ');
  double square = x * x, back;
  memcpy(&text[8], &square, 8);
  memcpy(&back, text.data() + 8, 8);
  return back;
}
static double byBytes(double x) {
  std::string text(8, ' ');
  double square = x * x, back;
  memcpy(&text[0], &square, 8);
  char bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = text[i];
  memcpy(&back, bytes, 8);
  return back;
}
// CHECK-COUNT-2: error: a differentiated number is kept in the text of a string; keep it in a variable, or an array of the program's own [IZ204]
double derive(double x) { return __enzyme_autodiff((void *)copied, x) + __enzyme_autodiff((void *)byBytes, x); }
