// Remarks speak of variables and lines, at the place where the value is computed.
// RUN: %clang -O1 -g -c %s -o /dev/null -Rpass=isozyme -Rpass-missed=isozyme -Rpass-analysis=isozyme -mllvm -isozyme-fuse=0 2>&1 | FileCheck %s

double exp(double);
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

double scan(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double e = exp(x[i] * x[i]);
    sum += e;
  }
  return sum;
}
// CHECK-DAG: source-names.c:[[@LINE-5]]:16: remark: 'e' is kept for the reverse sweep: 8 bytes * iterations of the loop in line [[@LINE-6]]; expensive to compute again [-Rpass-missed=isozyme]
// CHECK-DAG: source-names.c:[[@LINE-6]]:20: remark: 'x[i]' is read again in the reverse sweep: not overwritten afterwards [-Rpass=isozyme]
// CHECK-DAG: source-names.c:[[@LINE-10]]:1: remark: reverse of 'scan': 1 value kept (8 bytes * iterations of the loop in line [[@LINE-8]]), {{[0-9]+}} computed again, 1 read again [-Rpass-analysis=isozyme]

double halve(double y) {
  while (y > 1e-3)
    y *= y * 0.5;
  return y;
}
// CHECK-DAG: source-names.c:[[@LINE-4]]:3: remark: the trip count of this loop is not known before it: its tape grows at run time [-Rpass-missed=isozyme]
// CHECK-DAG: remark: 'y' is kept for the reverse sweep: 8 bytes * iterations of the loop in line [[@LINE-5]]; depends on the path taken [-Rpass-missed=isozyme]
// CHECK-DAG: remark: the number of iterations of the loop in line [[@LINE-6]] is kept for the reverse sweep: 8 bytes; depends on the path taken [-Rpass-missed=isozyme]

double call(double *x, double *dx, int n, double y) {
  __enzyme_autodiff_void((void *)scan, x, dx, n);
  return __enzyme_autodiff((void *)halve, y);
}
