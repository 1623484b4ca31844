// An index that may be negative may lead to the sizes before the addresses: so far as types know,
// the sizes may be addresses, too. A product of two of them is a number. An address that is
// rounded stays one.
// RUN: %clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %s -o %t && %t | FileCheck %s
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);

struct matrix {
  long rows, columns;
  double *row[4];
};
__attribute__((noinline)) static double *room(long count) {
  return malloc(count * sizeof(double));
}
/* Rows are counted from 1. */
__attribute__((noinline)) static void fill(struct matrix *m, double x) {
  double *memory = room(m->rows * m->columns);
  for (long i = 1; i <= m->rows; i++) {
    m->row[i - 1] = memory + (i - 1) * m->columns;
    for (long j = 0; j < m->columns; j++)
      m->row[i - 1][j] = x * x * (i + j);
  }
}
__attribute__((noinline)) static double at(const struct matrix *m, long i, long j) {
  return m->row[i - 1][j];
}
static double f(double x, long rows, long columns) {
  struct matrix m = {rows, columns, {0}};
  fill(&m, x);
  double sum = 0;
  for (long i = 1; i <= rows; i++)
    for (long j = 0; j < columns; j++)
      sum += at(&m, i, j) * x;
  free(m.row[0]);
  return sum;
}
/* A quotient times its divisor is the address before, rounded down. */
__attribute__((noinline)) static double *aligned(char *memory, uintptr_t to) {
  return (double *)(((uintptr_t)memory + to - 1) / to * to);
}
static double rounded(double x, long to) {
  char *memory = malloc(16 * sizeof(double));
  double *p = aligned(memory + 1, to);
  p[0] = x * x;
  double result = p[0] * x;
  free(memory);
  return result;
}

int main(void) {
  printf("%g\n", __enzyme_autodiff((void *)f, 2.0, 2L, 3L)); // f is 15 x^3
  printf("%g\n", __enzyme_autodiff((void *)rounded, 2.0, 32L));
}
// CHECK: {{^}}180
// CHECK-NEXT: {{^}}12
