// Statements that the optimiser has copied by unrolling are told once, with their indices; what the source says
// several times is told as often.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
#include <math.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

double orbit(const double *x0, int steps) {
  double x[3] = {1, 0, 0}, v[3] = {x0[0], x0[1], x0[2]}, d = 0;
  for (int k = 0; k < steps; k++) {
    double r = 0;
    for (int i = 0; i < 3; i++)
      r += x[i] * x[i];
    for (int i = 0; i < 3; i++) {
      v[i] -= 0.01 * x[i] / r;
      x[i] += 0.01 * v[i];
    }
  }
  for (int i = 0; i < 3; i++)
    d += x[i] * x[i];
  return d;
}

void gradient(double *x, double *dx, int n) { __enzyme_autodiff((void *)orbit, enzyme_dup, x, dx, n); }

// CHECK: double x[3] = {1, 0, 0}
// CHECK: reverse: x0.shadow[0] += v[0].adj
// CHECK: reverse: x0.shadow[1] += v[1].adj
// CHECK: reverse: x0.shadow[2] += v[2].adj
// CHECK: r += x[i] * x[i];
// CHECK-NEXT: reverse: x[i].adj += 2 * r.adj * x[i]   // for i = 2, 1, 0
// CHECK: v[i] -= 0.01 * x[i] / r;
// CHECK-NEXT: reverse: r.adj += {{.*}}   // for i = 2, 1, 0
// CHECK-NEXT: reverse: x[i].adj -= v[i].adj / r * 0.01   // for i = 2, 1, 0
// CHECK-NOT: reverse:
// CHECK: x[i] += 0.01 * v[i];
// CHECK-NEXT: reverse: v[i].adj += x[i].adj * 0.01   // for i = 2, 1, 0
// CHECK-NOT: reverse:
// CHECK: d += x[i] * x[i];
// CHECK-NEXT: reverse: x[i].adj += 2 * d.adj * x[i]   // for i = 2, 1, 0
// CHECK-NOT: x[2].adj
