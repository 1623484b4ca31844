// At -O0 the user's own functions stay as they are, and no copy is left that nothing uses.
// RUN: %clang -O0 -S -emit-llvm %s -o - | FileCheck %s
double __enzyme_autodiff(void *, ...);

// CHECK: define {{.*}}double @square({{.*}} [[RAW:#[0-9]+]]
// CHECK: alloca double
// CHECK: ret double
double square(double x) {
  double y = x;
  return y * y;
}

// CHECK: define {{.*}}double @slope({{.*}} [[RAW]]
// CHECK: alloca double
double slope(double x) { return __enzyme_autodiff((void *)square, x); }
// CHECK-NOT: square.simplified
// CHECK-NOT: square.user
// CHECK: attributes [[RAW]] = {{.*}}optnone
