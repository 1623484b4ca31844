// Of a function of a library that is differentiated by itself, its cost and the user's line are told, and its
// lines only to who asks for it by its name.
// RUN: %clangxx -std=c++20 -O1 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
// RUN: %preload%isozyme explain %s:__introsort_loop -- -std=c++20 -O1 | FileCheck %s --check-prefix=LINES
#include <algorithm>
#include <vector>
double __enzyme_autodiff(void *, ...);

double weighted(std::vector<double> *x) {
  std::sort(x->begin(), x->end());
  double sum = 0;
  for (size_t i = 0; i < x->size(); ++i)
    sum += double(i) * (*x)[i];
  return sum;
}

double gradient(std::vector<double> *x, std::vector<double> *dx) {
  return __enzyme_autodiff((void *)weighted, x, dx);
}

// CHECK: reverse of 'weighted', by x
// CHECK: call: __introsort_loop<...>: by a pair of derivatives of its own
// CHECK-NOT: __normal_iterator
// CHECK: split reverse of '__introsort_loop<...>'
// CHECK: code of a library (stl_algo.h), called in line 10 of library.cpp; what is told
// CHECK-NOT: __partial_sort
// CHECK: iterations(stl_algo.h:{{[0-9]+}})
// LINES: __partial_sort
