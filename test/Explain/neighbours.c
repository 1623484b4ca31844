// A loop that carries sums of neighbours in registers says so.
// RUN: %clang -O1 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
// RUN: %clang -O1 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=%t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
void __enzyme_autodiff(void *, ...);

void smooth(const double *restrict x, double *restrict y, int n) {
  for (int i = 1; i < n; i++)
    y[i] = x[i - 1] - 2 * x[i] + x[i + 1];
  for (int i = 0; i < n; i++)
    y[i] *= 2;
}

void gradient(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)smooth, x, dx, y, dy, n);
}

// CHECK: loop: i, n - 1 times{{$}}
// CHECK: note: the reverse sweep adds up what belongs to {{.*}} in registers, and writes each element of the shadow once
// CHECK: loop: i, n times{{$}}
// CHECK-NOT: in registers
// JSON: "sumsInRegisters": true
// JSON: "sumsInRegisters": false
