// Pointers of arguments that overlap or do not: a gradient that has two versions chooses the right
// one, where they touch, where they overlap by one element, and where one is inside the other.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %clang -O2 -mllvm -isozyme-versions=false %s -lm -o %t.one && %t.one
// The functions have two versions (`squares` for two widths); `away` cannot, and `restricted` needs none.
// RUN: %clang -O2 -g -Rpass=isozyme -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-12: this gradient has a version for memory that does not overlap
// CHECK-NOT: a version for memory that does not overlap
#include "check.h"
#include <stddef.h>

void __enzyme_autodiff_void(void *, ...);


enum { Size = 300 };
typedef double Function(double *a, double *b, int n);

static double squares(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    b[i] = a[i] * a[i];
    sum += b[i] * a[i];
  }
  return sum;
}

// Down, and by two elements at once.
static double down(double *a, double *b, int n) {
  double sum = 0;
  for (int i = n - 1; i >= 0; i--) {
    b[2 * i + 1] = a[i] * sin(a[i + 1]);
    sum += b[2 * i + 1] * a[i];
  }
  return sum;
}

// A product of matrices that stand behind each other.
static double product(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i * n + j] = 0.1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        b[i * n + j] += a[i * n + k] * a[k * n + j];
  for (int i = 0; i < n * n; i++)
    sum += b[i] * b[i] * a[i];
  return sum;
}

// Rows of a triangle: the inner loop depends on the outer one.
static double triangle(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      b[i + j] = a[j] * a[i] * 0.5;
      sum += b[i + j] * a[j];
    }
  return sum;
}

// What is accessed if something holds.
static double some(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0.4) {
      b[i] = sin(a[i]) * a[n - 1 - i] + 0.5;
      sum += b[i] * a[i];
    }
  return sum;
}

static double copied(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = a[i] * a[i] * a[i];
  memmove(b, a, n * sizeof(double));
  for (int i = 0; i < n; i++) {
    b[i] = sin(b[i]) * a[i];
    sum += b[i] * b[i];
  }
  return sum;
}

double theTable[Size];
static double global(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    b[i] = a[i] * a[i];
    theTable[i] = b[i] * a[i] + 1;
    sum += theTable[i] * b[i] * a[i];
  }
  return sum;
}

// Both are written, and what was written is read.
static double both(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    a[i] = b[i] * b[i] + 0.1;
    b[i] = a[i] * a[i] - 0.2 * b[i];
    sum += a[i] * b[i];
  }
  return sum;
}

// Before the first element.
static double before(double *a, double *b, int n) {
  double sum = 0;
  a += n, b += n;
  for (int i = -n; i < 0; i++) {
    b[i] = a[i] * cos(a[i]);
    sum += b[i] * a[i] * a[i];
  }
  return sum;
}

// Where it goes is in memory.
static double away(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    b[(int)(9 * a[n + i])] = a[i] * a[i];
    sum += b[i] * a[i];
  }
  return sum;
}

// LLVM forgets that the beginning of a row does not overflow.
static double rows(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      b[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        b[i * n + j] += a[i * n + k] * a[k * n + j];
  }
  for (int i = 0; i < n * n; i++)
    sum += b[i] * b[i] * a[i];
  return sum;
}

// An index of eight bits overflows: 200, 237, 18, 55.
static double wrapping(double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned char k = 200 + 37 * i;
    b[k] = a[i] * a[i];
    sum += b[k] * a[i];
  }
  return sum;
}

static double restricted(double *restrict a, double *restrict b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    b[i] = a[i] * a[i];
    sum += b[i] * a[i];
  }
  return sum;
}

static void setUp(double *m) {
  for (int i = 0; i < Size; i++)
    m[i] = 0.3 + 0.5 * ((i * 7) % 11) / 11;
}

static double value(Function *f, const double *m, int a, int b, int n) {
  double t[Size];
  memcpy(t, m, sizeof t);
  return f(t + a, t + b, n);
}

static void gradient(Function *f, const double *m, double *d, int a, int b, int n);

static void compare(const char *name, Function *f, int a, int b, int n) {
  double m[Size], d[Size] = {0};
  char full[64];
  setUp(m);
  gradient(f, m, d, a, b, n);
  snprintf(full, sizeof full, "%s %d %d", name, a, b);
  for (int i = 0; i < Size; i++) {
    double slope = SLOPE_WITHIN(1e-3, m[i], value(f, m, a, b, n));
    if (d[i] != 0 || slope != 0)
      CHECK_AT(full, i, d[i], slope);
  }
}

#define DIFFERENTIATE(F)                                                                           \
  if (f == F)                                                                                      \
    __enzyme_autodiff_void((void *)F, enzyme_dup, t + a, d + a, enzyme_dup, t + b, d + b, n)

static void gradient(Function *f, const double *m, double *d, int a, int b, int n) {
  double t[Size];
  memcpy(t, m, sizeof t);
  DIFFERENTIATE(squares);
  DIFFERENTIATE(down);
  DIFFERENTIATE(product);
  DIFFERENTIATE(triangle);
  DIFFERENTIATE(some);
  DIFFERENTIATE(copied);
  DIFFERENTIATE(global);
  DIFFERENTIATE(both);
  DIFFERENTIATE(before);
  DIFFERENTIATE(rows);
  DIFFERENTIATE(wrapping);
  DIFFERENTIATE(away);
  DIFFERENTIATE(restricted);
}

// Two directions at once, and no memory at all.
static void lanes(void) {
  double m[Size], d[Size] = {0}, e[Size] = {0}, one[Size] = {0};
  setUp(m);
  gradient(squares, m, one, 0, 3, 5);
  __enzyme_autodiff_void((void *)squares, enzyme_width, 2, enzyme_dup, m, d, e, enzyme_dup, m + 3, d + 3, e + 3,
                    5);
  for (int i = 0; i < 12; i++) {
    CHECK_AT("first lane", i, d[i], one[i]);
    CHECK_AT("second lane", i, e[i], one[i]);
  }
  __enzyme_autodiff_void((void *)squares, enzyme_dup, NULL, NULL, enzyme_dup, NULL, NULL, 0);
  __enzyme_autodiff_void((void *)triangle, enzyme_dup, NULL, NULL, enzyme_dup, NULL, NULL, -3);
}

int main(void) {
  // Apart on either side; one right behind the other; overlapping by one; shifted; the same.
  const int places[][2] = {{0, 48}, {48, 0}, {0, 6}, {6, 0}, {0, 5}, {5, 0}, {0, 1}, {1, 0}, {7, 7}};
  for (unsigned p = 0; p < sizeof places / sizeof *places; p++) {
    int a = places[p][0], b = places[p][1];
    compare("squares", squares, a, b, 6);
    compare("down", down, a, b, 6);
    compare("product", product, a, b, 4);
    compare("triangle", triangle, a, b, 6);
    compare("some", some, a, b, 6);
    compare("copied", copied, a, b, 6);
    compare("global", global, a, b, 6);
    compare("both", both, a, b, 6);
    compare("before", before, a, b, 6);
    compare("rows", rows, a, b, 4);
    compare("away", away, a, b, 6);
  }
  // The third number that it writes is the fourth that it reads.
  compare("wrapping", wrapping, 15, 0, 5);
  compare("wrapping", wrapping, 17, 0, 1);
  compare("wrapping", wrapping, 100, 0, 2);
  compare("restricted", restricted, 0, 48, 6);
  lanes();
  return finish();
}
