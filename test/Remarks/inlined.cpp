// Functions have the names of the source, loops of another file are named with it, and variables of the
// standard library's own functions are not mentioned.
// RUN: rm -rf %t && split-file %s %t
// RUN: %clangxx -O1 -g -c %t/main.cpp -o /dev/null -Rpass-missed=isozyme -Rpass-analysis=isozyme -mllvm -isozyme-fuse=0 2>&1 | FileCheck %t/main.cpp

//--- sum.h
namespace lib {
inline double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += __builtin_exp(x[i]);
  return s;
}
} // namespace lib

//--- main.cpp
#include "sum.h"
namespace app {
double total(const double *x, int n) { return lib::sum(x, n); }
} // namespace app
// CHECK-DAG: sum.h:5:10: remark: 'exp(x[i])' is kept for the reverse sweep: 8 bytes * iterations of the loop in line 4 of sum.h;
// CHECK-DAG: main.cpp:3:1: remark: reverse of 'total': 1 value kept (8 bytes * iterations of the loop in line 4 of sum.h)
template <typename... T> void __enzyme_autodiff(void *, T...);
void run(double *x, double *dx, int n) { __enzyme_autodiff((void *)app::total, x, dx, n); }
