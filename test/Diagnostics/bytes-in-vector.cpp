// The bytes of a number go one by one into a vector of characters, whose members are not inlined: nobody there knows
// what they are, and the derivative may not be 0 in silence.
// RUN: not %clangxx -std=c++20 -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++20 -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++20 -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include <isozyme/isozyme.h>
#include <cstring>
#include <vector>

double __enzyme_autodiff(void *, ...);

static double packed(const double *x, int n) {
  std::vector<char> bytes;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      bytes.push_back(((const char *)&x[i])[k]);
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double value;
    memcpy(&value, bytes.data() + 8 * i, 8);
    sum += value * value;
  }
  return sum;
}
// CHECK: bytes-in-vector.cpp:{{.*}} error: {{.*}}what is moved here may be a differentiated float
double derive(double *x, double *dx, int n) { return __enzyme_autodiff((void *)packed, x, dx, n); }
