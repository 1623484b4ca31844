// Functions that change signs by integers, whose own code shows nothing but integers: they were
// taken for inactive, and the gradient had the wrong sign. So with vectors, which LLVM moves as
// integers where the source has floats.
// RUN: %clang -w -O0 %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -w -O1 %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -w -O2 -g %s -lm -o %t && %t | FileCheck %s
#include <stdio.h>
#define APART __attribute__((noinline))
typedef union {
  double d[4];
  unsigned long u[4];
} Numbers;
// Of one element; what is known of it is known of all.
static APART void flipFirst(Numbers *a) { a->u[0] ^= 1ul << 63; }
double inFirst(const double *x, int n) {
  Numbers a;
  double sum = 0;
  for (int i = 0; i < n; i++)
    a.d[i] = x[i];
  flipFirst(&a);
  for (int i = 0; i < n; i++)
    sum += a.d[i] * i + a.d[n - 1 - i];
  return sum;
}
typedef double Pair __attribute__((vector_size(16)));
typedef long Bits __attribute__((vector_size(16)));
static APART void negate(const Pair *from, Pair *to) {
  const Bits mask = {1l << 63, 1l << 63};
  *to = (Pair)((Bits)*from ^ mask);
}
double inVector(const double *x) {
  Pair a = {x[0], x[1]}, b;
  negate(&a, &b);
  return 2 * b[0] + 3 * b[1];
}
// A key that is compared is no float.
static APART int isLess(const long *a, const long *b) {
  return (unsigned long)(*a ^ 1l << 63) < (unsigned long)(*b ^ 1l << 63);
}
double ordered(const double *x, int n) {
  long keys[4] = {3, -1, 2, -4};
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += isLess(&keys[i], &keys[j]) * x[i] * x[j];
  return sum;
}
double __enzyme_autodiff(void *, ...);
int main(void) {
  double x[4] = {1, 2, 3, -4};
#define SHOW(f, ...)                                                                               \
  {                                                                                                \
    double d[4] = {0};                                                                             \
    __enzyme_autodiff((void *)f, x, d, ##__VA_ARGS__);                                             \
    printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);                                               \
  }
  SHOW(inFirst, 4) // CHECK: -1 2 3 4
  SHOW(inVector)   // CHECK-NEXT: -2 -3 0 0
  SHOW(ordered, 4) // CHECK-NEXT: 1 0 -1 6
}
