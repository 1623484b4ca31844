// Two pointers that are stepped in whole records may be to different members: their distance is not one of
// whole records, and what it leads to is not the first member of one. The gradient was zero.
// RUN: not %clang -O0 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O2 %s -o %t 2>&1 | FileCheck %s
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
struct Record {
  double a, b, c;
};

// CHECK: cannot deduce what the memory that is copied here holds{{.*}}[IZ203]
static double f(const double *x, const double *p, const double *q, long k) {
  double sum = p[3 * k] * q[3 * k];
  long distance = (const char *)q - (const char *)p;
  char from[240], to[240];
  memset(from, 0, 240);
  *(double *)(from + distance) = x[0] * x[0];
  memcpy(to, from, 240);
  for (int i = 1; i < k + 2; i++) {
    memcpy(from, to, 240);
    *(double *)(from + distance) *= x[0];
    memcpy(to, from, 240);
  }
  return sum + *(double *)(to + distance);
}
int main(void) {
  struct Record r[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  double x[1] = {1.5}, dx[1] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, &r[0].a, enzyme_const, &r[0].b, 1L);
}
