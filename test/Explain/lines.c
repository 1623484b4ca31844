// Source and adjoints side by side; what is kept, with its size, and what is read again.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-fuse=false -mllvm -isozyme-explain=- | FileCheck %s
// Without optimisation a copy is differentiated, and the lines are the same.
// RUN: %clang -O0 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-fuse=false -mllvm -isozyme-explain=- | FileCheck %s
#include <math.h>
double __enzyme_autodiff(void *, ...);

double scan(const double *restrict x, int n, int m) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double e = exp(x[i] * x[i]);
    for (int j = 0; j < m; j++)
      e = sin(e) * x[i + j * n];
    sum += e;
  }
  return sum;
}

void gradient(const double *x, double *dx, int n, int m) {
  __enzyme_autodiff((void *)scan, x, dx, n, m);
}

// CHECK: {{^}}reverse of 'scan', by x{{$}}
// CHECK: Asked for in 'gradient', lines.c:20
// CHECK: x: active: its derivatives are in a shadow of the same layout
// CHECK: n: constant
// CHECK: 8   | double scan
// CHECK: 10 . |   for (int i
// CHECK-NEXT: loop: i, n times
// CHECK-NEXT: 11 K |     double e = exp
// CHECK-NEXT: reverse: x.shadow[i] += 2 * e.adj * e * x[i]
// CHECK-NEXT: kept: e, 8 * n bytes (expensive to compute again)
// CHECK-NEXT: read again: x[i]
// CHECK: loop: j, m times
// CHECK-NEXT: 13 K |       e = sin(e)
// CHECK-NEXT: reverse: x.shadow[j * n + i] += e.adj * sin(e)
// CHECK-NEXT: reverse: e.adj = e.adj * x[j * n + i] * cos(e)
// CHECK: kept: e at the start of each iteration, 8 * m * n bytes (depends on the path taken)
// CHECK: 14 a |     sum += e;
// CHECK-NEXT: reverse: e.adj += sum.adj
// CHECK: Tape: 16 * m * n + 8 * n bytes; 3 values kept
