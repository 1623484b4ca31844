// At -O2 the gradient of relu3 is what one writes by hand: one compare, no memory.
// RUN: %clang -O2 -S -emit-llvm -o - %s | FileCheck %s
#include <math.h>

static double relu3(double x) {
  if (x > 0)
    return pow(x, 3);
  return 0;
}

double __enzyme_autodiff(void *, ...);

// CHECK-LABEL: define {{.*}}double @gradient(
// CHECK-NOT: {{(load|store|alloca|@malloc|icmp) }}
// CHECK: fcmp
// CHECK-NOT: {{(load|store|alloca|@malloc|icmp|fcmp) }}
// CHECK: ret double
// CHECK-NEXT: }
double gradient(double x) { return __enzyme_autodiff((void *)relu3, x); }
