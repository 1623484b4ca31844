// A body that is here only for inlining is differentiated, and not emitted.
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
double __enzyme_autodiff(void *, ...);
inline double half(double x) { return x / 2; }
inline double square(double x) { return x * x + half(x); }

// CHECK-NOT: define linkonce_odr
// CHECK: define {{.*}}@slope(
// CHECK-NOT: call
// CHECK: ret double
double slope(double x) { return __enzyme_autodiff((void *)square, x); }
// CHECK-NOT: define linkonce_odr
