// Arrays behind addresses in memory: vectors by reference, structures of arrays, structures in
// structures. The versions are chosen by where the arrays are at the call.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %clangxx -O2 -mllvm -isozyme-versions=false %s -lm -o %t.one && %t.one
// `vectors` has two for two widths, `matrices` for a constant too; `grows` changes the addresses, and the
// rows of `rowsOfRows` have lengths of their own.
// RUN: %clangxx -O2 -g -Rpass=isozyme -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-COUNT-9: this gradient has a version for memory that does not overlap
// CHECK-NOT: a version for memory that does not overlap
#include "check.h"
#include <vector>

void __enzyme_autodiff_void(void *, ...);

using Vector = std::vector<double>;

enum { Size = 64 };

// Two arrays of n numbers in one row of memory, where they may overlap.
struct Arrays {
  int n;
  double scale;
  double *a, *b;
};
struct Inner {
  Arrays *arrays;
};

__attribute__((noinline)) static double squares(Arrays *s) {
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    s->b[i] = s->a[i] * s->a[i] * s->scale;
    sum += s->b[i] * s->a[i];
  }
  return sum;
}

__attribute__((noinline)) static double product(const Arrays &s) {
  double sum = 0;
  int n = s.n;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      s.b[i] += s.a[i] * s.a[k] * s.a[n - 1 - k];
  for (int i = 0; i < n; i++)
    sum += s.b[i] * s.b[i] * s.scale;
  return sum;
}

__attribute__((noinline)) static double nested(Inner *in) {
  double sum = 0;
  for (int i = 0; i < in->arrays->n; i++) {
    in->arrays->b[i] = sin(in->arrays->a[i]) * in->arrays->scale;
    sum += in->arrays->b[i] * in->arrays->a[i];
  }
  return sum;
}

// An address that is written is not the one that was read at the beginning.
__attribute__((noinline)) static double grows(Arrays *s) {
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    s->b[i] = s->a[i] * s->a[i];
    sum += s->b[i] * s->a[i] * s->scale;
    if (i == 2)
      s->b++;
  }
  s->b--;
  return sum;
}

// A member that is written beside the addresses that are read.
__attribute__((noinline)) static double scales(Arrays *s) {
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    s->scale = s->scale * s->a[i] + 0.5;
    s->b[i] = s->a[i] * s->scale;
    sum += s->b[i] * s->a[i];
  }
  return sum;
}

__attribute__((noinline)) static double vectors(const Vector &a, Vector &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); i++) {
    b[i] = a[i] * a[i];
    sum += b[i] * a[a.size() - 1 - i];
  }
  return sum;
}

__attribute__((noinline)) static double iterators(const Vector &a, Vector &b) {
  double sum = 0;
  auto out = b.begin();
  for (double x : a) {
    *out = x * cos(x);
    sum += *out++ * x;
  }
  return sum;
}

__attribute__((noinline)) static double matrices(const Vector &a, const Vector &b, Vector &c, int n) {
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    c[i] = 0.1;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
  for (double x : c)
    sum += x * x * x;
  return sum;
}

__attribute__((noinline)) static double rowsOfRows(std::vector<Vector> &rows) {
  double sum = 0;
  for (size_t i = 1; i < rows.size(); i++)
    for (size_t j = 0; j < rows[i].size(); j++) {
      rows[i][j] = rows[i - 1][j] * rows[i - 1][j] + 0.1 * rows[i][j];
      sum += rows[i][j] * rows[i - 1][j];
    }
  return sum;
}

static void setUp(double *m) {
  for (int i = 0; i < Size; i++)
    m[i] = 0.3 + 0.5 * ((i * 7) % 11) / 11;
}

enum Which { Squares, Product, Nested, Grows, Scales };
static double run(Which which, Arrays *s) {
  Inner in{s};
  switch (which) {
  case Squares:
    return squares(s);
  case Product:
    return product(*s);
  case Nested:
    return nested(&in);
  case Grows:
    return grows(s);
  default:
    return scales(s);
  }
}

static double value(Which which, const double *m, double scale, int a, int b, int n) {
  double t[Size];
  memcpy(t, m, sizeof t);
  Arrays s{n, scale, t + a, t + b};
  return run(which, &s);
}

static void compare(const char *name, Which which, int a, int b, int n) {
  double m[Size], t[Size], d[Size] = {0}, scale = 0.9;
  char full[64];
  setUp(m);
  memcpy(t, m, sizeof t);
  Arrays s{n, scale, t + a, t + b}, ds{0, 0, d + a, d + b};
  Inner in{&s}, din{&ds};
  if (which == Squares)
    __enzyme_autodiff_void((void *)squares, enzyme_dup, &s, &ds);
  else if (which == Product)
    __enzyme_autodiff_void((void *)product, enzyme_dup, &s, &ds);
  else if (which == Nested)
    __enzyme_autodiff_void((void *)nested, enzyme_dup, &in, &din);
  else if (which == Grows)
    __enzyme_autodiff_void((void *)grows, enzyme_dup, &s, &ds);
  else
    __enzyme_autodiff_void((void *)scales, enzyme_dup, &s, &ds);
  snprintf(full, sizeof full, "%s %d %d", name, a, b);
  for (int i = 0; i < Size; i++) {
    double slope = SLOPE_WITHIN(1e-3, m[i], value(which, m, scale, a, b, n));
    if (d[i] != 0 || slope != 0)
      CHECK_AT(full, i, d[i], slope);
  }
  CHECK_AT(full, -1, ds.scale, SLOPE_WITHIN(1e-3, scale, value(which, m, scale, a, b, n)));
}

template <typename Function>
static void compareVectors(const char *name, Function *f, int size) {
  Vector a(size), b(size), da(size), db(size);
  for (int i = 0; i < size; i++)
    a[i] = 0.3 + 0.5 * ((i * 7) % 11) / 11;
  Vector b0 = b;
  __enzyme_autodiff_void((void *)f, enzyme_dup, &a, &da, enzyme_dup, &b, &db);
  for (int i = 0; i < size; i++)
    CHECK_AT(name, i, da[i], SLOPE_WITHIN(1e-3, a[i], (b = b0, f(a, b))));
}

static void compareMatrices() {
  int n = 4;
  Vector a(n * n), b(n * n), c(n * n), da(n * n), db(n * n), dc(n * n);
  for (int i = 0; i < n * n; i++)
    a[i] = 0.3 + 0.05 * i, b[i] = 0.7 - 0.03 * i;
  __enzyme_autodiff_void((void *)matrices, enzyme_dup, &a, &da, enzyme_dup, &b, &db, enzyme_dup, &c, &dc, n);
  for (int i = 0; i < n * n; i++) {
    CHECK_AT("matrices a", i, da[i], SLOPE_WITHIN(1e-3, a[i], matrices(a, b, c, n)));
    CHECK_AT("matrices b", i, db[i], SLOPE_WITHIN(1e-3, b[i], matrices(a, b, c, n)));
  }
  // The same vector twice: both of its roles add up in one shadow.
  Vector ds(n * n), c2(n * n), dc2(n * n);
  __enzyme_autodiff_void((void *)matrices, enzyme_dup, &a, &ds, enzyme_dup, &a, &ds, enzyme_dup, &c2, &dc2, n);
  for (int i = 0; i < n * n; i++)
    CHECK_AT("a squared", i, ds[i], SLOPE_WITHIN(1e-3, a[i], matrices(a, a, c, n)));
  // Constant on one side.
  Vector only(n * n), dc3(n * n);
  __enzyme_autodiff_void((void *)matrices, enzyme_dup, &a, &only, enzyme_const, &b, enzyme_dup, &c, &dc3, n);
  for (int i = 0; i < n * n; i++)
    CHECK_AT("only a", i, only[i], da[i]);
  // None at all, and two directions.
  Vector none, dnone;
  __enzyme_autodiff_void((void *)vectors, enzyme_dup, &none, &dnone, enzyme_dup, &none, &dnone);
  Vector d1(n * n), d2(n * n), e1(n * n), e2(n * n);
  __enzyme_autodiff_void((void *)vectors, enzyme_width, 2, enzyme_dup, &a, &d1, &d2, enzyme_dup, &c, &e1, &e2);
  for (int i = 0; i < n * n; i++) {
    CHECK_AT("first lane", i, d1[i], SLOPE_WITHIN(1e-3, a[i], vectors(a, c)));
    CHECK_AT("second lane", i, d2[i], d1[i]);
  }
}

static void compareRows() {
  std::vector<Vector> rows(3, Vector(5)), d(3, Vector(5));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++)
      rows[i][j] = 0.4 + 0.1 * i - 0.05 * j;
  std::vector<Vector> start = rows;
  __enzyme_autodiff_void((void *)rowsOfRows, enzyme_dup, &rows, &d);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++)
      CHECK_AT("rows", 5 * i + j, d[i][j], SLOPE_WITHIN(1e-3, start[i][j], (rows = start, rowsOfRows(rows))));
}

int main(void) {
  // Apart on either side; one right behind the other; overlapping by one; shifted; the same.
  const int places[][2] = {{0, 32}, {32, 0}, {0, 6}, {6, 0}, {0, 5}, {5, 0}, {0, 1}, {1, 0}, {7, 7}};
  for (auto [a, b] : places) {
    compare("squares", Squares, a, b, 6);
    compare("product", Product, a, b, 4);
    compare("nested", Nested, a, b, 6);
    compare("grows", Grows, a, b, 6);
    compare("scales", Scales, a, b, 6);
  }
  compareVectors("vectors", vectors, 9);
  compareVectors("iterators", iterators, 9);
  compareMatrices();
  compareRows();
  return finish();
}
