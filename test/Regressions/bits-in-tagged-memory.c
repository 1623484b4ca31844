// Floats whose bits are kept in arrays of integers, swapped there by a function that sees nothing
// but integers, and read again: TBAA and debug information call them integers, and the gradient
// lacked them.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// Moved through a parameter or a result that is an integer, they are an error.
// RUN: not %clang -w -O1 -DBOXED -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -DBOXED -g -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
#include "bits.h"
#include "check.h"
#define APART __attribute__((noinline))
static APART void reverse(uint64_t *a, int n) {
  for (int i = 0; i < n / 2; i++) {
    uint64_t other = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = other;
  }
}
static APART void put(uint64_t *a, double x) { *a = bitsOf(x); }
static APART double get(const uint64_t *a) { return ofBits(*a); }
double shifted(const double *x, int n) {
  uint64_t a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = bitsOf(x[i] * 2);
  for (int i = 0; i + 1 < n; i++) {
    uint64_t other = a[i];
    a[i] = a[i + 1];
    a[i + 1] = other;
  }
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i]) * ofBits(a[i]) * i;
  return sum;
}
double reversed(const double *x, int n) {
  uint64_t a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = bitsOf(x[i] * 2);
  reverse(a, n);
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i]) * ofBits(a[i]) * i;
  return sum;
}
double byCalls(const double *x, int n) {
  uint64_t a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    put(a + i, x[i] * 2);
  reverse(a, n);
  for (int i = 0; i < n; i++)
    sum += get(a + i) * get(a + i) * i;
  return sum;
}
// Beside them, what is an integer stays one.
double counted(const double *x, int n) {
  uint64_t a[8], count[4] = {0, 0, 0, 0};
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = bitsOf(x[i] * 2), count[i % 3]++;
  reverse(a, n);
  reverse(count, 3);
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i]) * ofBits(a[i]) * count[i % 3];
  return sum;
}
#ifdef BOXED
typedef struct {
  uint64_t values[32];
  int used;
} Stack;
static APART void push(Stack *s, uint64_t v) { s->values[s->used++] = v; }
static APART uint64_t pop(Stack *s) { return s->values[--s->used]; }
static APART double number(uint64_t v) { return v >> 48 == 0x7ff9 ? (double)(int32_t)v : ofBits(v); }
static APART void add(Stack *s) {
  double a = number(pop(s)), b = number(pop(s));
  push(s, bitsOf(a + b));
}
double boxed(const double *x, int n) {
  Stack s = {{0}, 0};
  for (int i = 0; i < n; i++)
    push(&s, bitsOf(x[i] * x[i]));
  for (int i = 1; i < n; i++)
    add(&s);
  return number(pop(&s));
}
static APART void keep(uint64_t *a, uint64_t bits) { *a = bits; }
double kept(const double *x, int n) {
  uint64_t a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    keep(a + i, bitsOf(x[i]));
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i]) * ofBits(a[n - 1 - i]);
  return sum;
}
// CHECK-DAG: error: argument 2 {{.*}}of 'push' carries a floating-point number in an integer; pass it as a floating-point parameter, or by pointer [IZ201]
// CHECK-DAG: error: argument 2 {{.*}}of 'keep' carries a floating-point number in an integer; pass it as a floating-point parameter, or by pointer [IZ201]
// CHECK: 2 errors generated
void boxes(const double *x, double *d) {
  __enzyme_autodiff((void *)boxed, x, d, 5);
  __enzyme_autodiff((void *)kept, x, d, 5);
}
#endif
int main(void) {
  double x[7] = {1.1, 0.7, -0.4, 0.9, 1.3, 2.1, -0.2};
  double d[7] = {0}, e[7] = {0}, f[7] = {0}, g[7] = {0};
  __enzyme_autodiff((void *)shifted, x, d, 7);
  __enzyme_autodiff((void *)reversed, x, e, 7);
  __enzyme_autodiff((void *)byCalls, x, f, 7);
  __enzyme_autodiff((void *)counted, x, g, 7);
  for (int i = 0; i < 7; i++) {
    checkWithin("shifted", i, d[i], 8 * x[i] * (i ? i - 1 : 6), 1e-14, 1e-14);
    checkWithin("reversed", i, e[i], 8 * x[i] * (6 - i), 1e-14, 1e-14);
    checkWithin("by calls", i, f[i], 8 * x[i] * (6 - i), 1e-14, 1e-14);
    checkWithin("counted", i, g[i], 8 * x[i] * ((6 - i) % 3 == 2 ? 3 : 2), 1e-14, 1e-14);
  }
  return finish();
}
