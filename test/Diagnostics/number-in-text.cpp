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
static double pushed(const double *x) {
  std::string text;
  for (int i = 0; i < 8; i++)
    text.push_back(((const char *)x)[i]);
  double back;
  memcpy(&back, text.data(), 8);
  return back * back;
}
static double setOneByOne(const double *x) {
  std::string text(8, ' ');
  for (int i = 0; i < 8; i++)
    text[i] = ((const char *)x)[i];
  double back;
  memcpy(&back, text.data(), 8);
  return back * back;
}
static double appended(double x) {
  std::string text;
  double square = x * x, back;
  text.append((const char *)&square, 8);
  memcpy(&back, text.data(), 8);
  return back;
}
static double made(const double *x) { // Nothing but the text says here what x leads to.
  std::string text((const char *)x, 8);
  double back;
  memcpy(&back, text.data(), 8);
  return back * back;
}
// A program may send characters from one text to another, and floats to neither.
static double parsed(const char *source, double x) {
  std::string word;
  for (; *source; ++source)
    word += *source;
  return word == "square" ? x * x : x;
}
// CHECK-COUNT-6: error: a differentiated number is kept in the text of a string; keep it in a variable, or an array of the program's own [IZ204]
// CHECK-NOT: error:
double derive(double x, double *dx) {
  double d = __enzyme_autodiff((void *)copied, x) + __enzyme_autodiff((void *)byBytes, x) +
             __enzyme_autodiff((void *)appended, x) + __enzyme_autodiff((void *)parsed, enzyme_const, "square", x);
  __enzyme_autodiff((void *)pushed, &x, dx);
  __enzyme_autodiff((void *)setOneByOne, &x, dx);
  __enzyme_autodiff((void *)made, &x, dx);
  return d;
}
