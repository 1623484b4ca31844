// A double that is computed and of which a half is computed with as a float, and the other way
// round: the derivative was a number without a meaning.
// RUN: not %clang -w -O0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O1 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O1 -DFORWARD -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -DFORWARD -c %s -o %t.o 2>&1 | FileCheck %s
#include <string.h>
union halves {
  double d;
  float f[2];
};
static double upper(double x) {
  union halves v = {.d = x * x};
  return v.f[1] * 2.0 + v.f[0];
}
static double ofArgument(double x) {
  float f[2];
  memcpy(f, &x, 8);
  return f[1] * 2.0;
}
static double joined(double x) {
  float f[2] = {(float)x, (float)(x * x)};
  double y;
  memcpy(&y, f, 8);
  return y * y;
}
__attribute__((noinline)) static double upperOf(double x) {
  union halves v = {.d = x};
  return v.f[1] * 2.0 + v.f[0];
}
static double handedOn(double x) { return upperOf(x * x) + x; }
static double ofElement(double x) {
  union halves v[3] = {{.d = x * x}, {.d = x}, {.d = x * 3}};
  return v[(int)x].f[1] + 0.0;
}

#ifdef FORWARD
double __enzyme_fwddiff(void *, ...);
#define D(F) __enzyme_fwddiff((void *)F, x, 1.0)
#else
double __enzyme_autodiff(void *, ...);
#define D(F) __enzyme_autodiff((void *)F, x)
#endif
double slopes(double x) {
  double sum = 0;
  // CHECK: halves-of-doubles.c:[[#@LINE-34]]:{{.*}} error: the bits of a differentiated 'double' are read as 'float' here, and computed with as such; convert the number, or move and read it as what it is [IZ202]
  sum += D(upper);
  // CHECK: error: the bits of a differentiated 'double' are read as 'float' here
  sum += D(ofArgument);
  // CHECK: error: the bits of a differentiated 'float' are read as 'double' here
  sum += D(joined);
  // CHECK: error: the bits of a differentiated 'double' are read as 'float' here
  sum += D(handedOn);
  // CHECK: error: the bits of a differentiated 'double' are read as 'float' here
  sum += D(ofElement);
  // CHECK: 5 errors generated
  return sum;
}
