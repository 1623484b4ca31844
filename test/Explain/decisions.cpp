// What the plan decided and no statement shows: sums of neighbours in registers, shadows that overlap no others, loops
// that keep too little to run in the reverse sweep only, lanes in vectors. What a library would throw is left out.
// RUN: env COLUMNS=0 %clangxx -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- > %t.txt
// RUN: FileCheck %s --implicit-check-not=__throw < %t.txt
#include <vector>
template <typename... A> double __enzyme_autodiff(void *, A...);
template <typename R, typename... A> R __enzyme_fwddiff(void *, A...);
extern int enzyme_dup, enzyme_const, enzyme_width;

double rod(const double *start, int n, int steps) {
  std::vector<double> now(start, start + n), next(start, start + n);
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i + 1 < n; i++)
      next[i] = now[i] + 0.2 * (now[i - 1] - 2 * now[i] + now[i + 1]) - 0.1 * now[i] * now[i];
    now.swap(next);
  }
  return now[n / 2];
}
// CHECK: reverse of 'rod', by start
// CHECK: the shadows of 'now' and 'next' overlap no others: loops may be vectorised with this knowledge
// CHECK: for (int i = 1; i + 1 < n; i++)
// CHECK-NEXT: loop: i, n - 2 times
// CHECK-NEXT: note: the reverse sweep adds up what belongs to now.shadow[i], now.shadow[i - 1] and now.shadow[i + 1] in registers, and writes each element of the shadow once

double iterated(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++)
    r = (r * x + 1) / (r + x);
  return r;
}
// CHECK: forward of 'iterated', by x, width 4
// CHECK: note: the 4 tangents of a number are computed together, in a vector

struct four {
  double at[4];
};
four derivatives(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)rod, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, 10);
  return __enzyme_fwddiff<four>((void *)iterated, enzyme_width, 4, enzyme_dup, x[0], 1., 2., 3., 4., enzyme_const, n);
}
