// A loop over neighbours sums up derivatives in registers, and says so.
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme 2>&1 | FileCheck %s
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme -mllvm -isozyme-adjoint-order=source 2>&1 | FileCheck %s --check-prefix=ASKED --allow-empty
// CHECK: carried.c:[[#@LINE+7]]:3: remark: this loop reads 3 neighbours of one array: what its iterations add to one derivative is summed up in registers, and added to memory once
// CHECK-NOT: this loop reads
// ASKED-NOT: this loop reads
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

static void smooth(const double *restrict x, double *restrict y, int n) {
  for (int i = 1; i < n; i++)
    y[i] = x[i - 1] - 2 * x[i] + x[i + 1];
}
void gradient(const double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)smooth, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
