// Matrices as tables of rows. The version for memory that is apart takes evenly spaced rows; all other
// ways in which rows may lie are right as well: uneven ones, rows of shadows that lie in another way,
// one row twice, rows of two matrices in turn, the same matrix twice, none.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %clangxx -O2 -mllvm -isozyme-versions=false %s -lm -o %t.one && %t.one
// RUN: %clangxx -O2 -g -Rpass=isozyme -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: a version for memory that does not overlap{{.*}} keeps 0 bytes {{.*}}behind 'c[i]', 'a[i]' and 'b[k]'
// CHECK-DAG: a version for memory that does not overlap{{.*}} behind 'a[2 * i]', 'b[i + 1]' and 'c[i]'
// CHECK-DAG: a version for memory that does not overlap{{.*}} behind 'c[{{[ik]}}]', 'a[i]' and 'b[i]'
// CHECK-DAG: a version for memory that does not overlap{{.*}} keeps {{[1-9][0-9]*}} bytes {{.*}}behind 'c[i]', 'a[i]' and 'b[k]'
#include "check.h"
#include <memory>
#include <vector>

void __enzyme_autodiff_void(void *, ...);

enum { N = 5, Pool = 400 };

__attribute__((noinline)) static double product(double **a, double **b, double **c, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += c[i][j] * c[i][j] * c[i][j];
  return sum;
}

// From below, and every second row of a.
__attribute__((noinline)) static double upwards(double **a, double **b, double **c, int n) {
  double sum = 0;
  for (int i = n / 2; i >= 0; i--)
    for (int j = 0; j < n; j++) {
      c[i][j] = a[2 * i][j] * b[i + 1][j] * a[2 * i][0];
      sum += c[i][j] * b[i + 1][n - 1 - j];
    }
  return sum;
}

// The table is as long as what is read of it: nobody may look at the address before its first one.
__attribute__((noinline)) static double guarded(double **a, double **b, double **c, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = a[i][j];
      if (i > 0)
        x *= a[i - 1][j];
      if (i + 1 < n)
        x += b[i + 1][j] * x;
      c[i][j] = x * x;
      sum += c[i][j] * x;
    }
  return sum;
}

// Each row is read, and then changed: what is read stays as it is only where rows do not overlap.
__attribute__((noinline)) static double eliminate(double **a, double **b, double **c, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double factor = c[i][k] / (2 + c[k][k] * a[i][k]);
      c[i][k] = factor;
      for (int j = k + 1; j < n; j++)
        c[i][j] -= factor * c[k][j] * b[i][j];
    }
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += c[i][j] * c[i][j];
  return sum;
}

using Kind = double(double **, double **, double **, int);
static Kind *const kinds[] = {product, upwards, guarded, eliminate};
static const char *const names[] = {"product", "upwards", "guarded", "eliminate"};

// Where row i of table t is.
enum Layout { Even, Wide, Uneven, Descending, Twice, Turns, Same, InPlace };
static int place(Layout layout, int t, int i) {
  switch (layout) {
  case Even:
    return 120 * t + 6 * i;
  case Wide:
    return 120 * t + 9 * i;
  case Uneven:
    return 120 * t + 6 * i + (i > 2);
  case Descending:
    return 120 * t + 6 * (N - i);
  case Twice: // All rows of b are one.
    return t == 1 ? 120 : 120 * t + 6 * i;
  case Turns: // Rows of a, b and c in turn.
    return 18 * i + 6 * t;
  case Same: // a and b are one matrix.
    return 120 * (t < 2 ? 0 : t) + 6 * i;
  case InPlace: // b is c, one column further.
    return 120 * (t == 0) + 6 * i + (t == 1);
  }
  return 0;
}

static double valueOf(int kind, Layout layout, const double *pool, int n) {
  double copy[Pool], *rows[3][N];
  memcpy(copy, pool, sizeof copy);
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < N; i++)
      rows[t][i] = copy + place(layout, t, i);
  return kinds[kind](rows[0], rows[1], rows[2], n);
}

static void derive(int kind, double **a, double **da, double **b, double **db, double **c, double **dc, int n) {
  if (kind == 0)
    __enzyme_autodiff_void((void *)product, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, n);
  else if (kind == 1)
    __enzyme_autodiff_void((void *)upwards, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, n);
  else if (kind == 2)
    __enzyme_autodiff_void((void *)guarded, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, n);
  else
    __enzyme_autodiff_void((void *)eliminate, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, n);
}

static void compare(int kind, Layout layout, Layout ofShadows, int n) {
  double pool[Pool], start[Pool], shadow[Pool] = {0};
  for (int i = 0; i < Pool; i++)
    start[i] = pool[i] = 0.3 + 0.5 * ((i * 7) % 11) / 11;
  // Tables on the heap, so that checkers of memory see who reads beside them.
  std::unique_ptr<double *[]> rows[3], shadows[3];
  for (int t = 0; t < 3; t++) {
    rows[t] = std::make_unique<double *[]>(n);
    shadows[t] = std::make_unique<double *[]>(n);
    for (int i = 0; i < n; i++) {
      rows[t][i] = pool + place(layout, t, i);
      shadows[t][i] = shadow + place(ofShadows, t, i);
    }
  }
  derive(kind, rows[0].get(), shadows[0].get(), rows[1].get(), shadows[1].get(), rows[2].get(), shadows[2].get(), n);
  char name[64];
  snprintf(name, sizeof name, "%s %d %d", names[kind], layout, ofShadows);
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double *x = start + place(layout, t, i) + j;
        CHECK_AT(name, (t * N + i) * N + j, shadow[place(ofShadows, t, i) + j],
                 SLOPE_WITHIN(1e-3, *x, valueOf(kind, layout, start, n)));
      }
}

// Rows anywhere, also in each other; the shadows lie as they do, so each number has one.
static void compareAnywhere(int kind, unsigned seed) {
  enum { Few = 3, Cells = 40 };
  auto random = [&](unsigned below) {
    seed = seed * 1103515245 + 12345;
    return (seed >> 16) % below;
  };
  double start[Cells], pool[Cells], shadow[Cells] = {0};
  int at[3][Few];
  for (int t = 0; t < 3; t++) {
    int base = random(20), spacing = random(9), moved = random(2 * Few);
    for (int i = 0; i < Few; i++)
      at[t][i] = base + spacing * i + (i == moved);
  }
  for (int i = 0; i < Cells; i++)
    start[i] = pool[i] = 0.1 + 0.02 * random(10);
  auto rowsIn = [&](double *cells, double *(*rows)[Few]) {
    for (int t = 0; t < 3; t++)
      for (int i = 0; i < Few; i++)
        rows[t][i] = cells + at[t][i];
  };
  double *rows[3][Few], *shadows[3][Few];
  rowsIn(pool, rows);
  rowsIn(shadow, shadows);
  derive(kind, rows[0], shadows[0], rows[1], shadows[1], rows[2], shadows[2], Few);
  char name[64];
  snprintf(name, sizeof name, "%s anywhere %u", names[kind], seed);
  for (int cell = 0; cell < Cells; cell++) {
    double slope = SLOPE_WITHIN(1e-2, start[cell], ({
                                  double copy[Cells], *here[3][Few];
                                  memcpy(copy, start, sizeof copy);
                                  rowsIn(copy, here);
                                  kinds[kind](here[0], here[1], here[2], Few);
                                }));
    if (shadow[cell] != 0 || slope != 0)
      CHECK_AT(name, cell, shadow[cell], slope);
  }
}

using Matrix = std::vector<std::vector<double>>;

__attribute__((noinline)) static double vectors(const Matrix &a, const Matrix &b, Matrix &c) {
  double sum = 0;
  size_t n = a.size(), m = b[0].size(), l = b.size();
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++) {
      c[i][j] = 0;
      for (size_t k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[k][j];
      sum += c[i][j] * c[i][j];
    }
  return sum;
}

static Matrix filled(int n, int m, double from) {
  Matrix a(n, std::vector<double>(m));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = from + 0.1 * ((3 * i + 5 * j) % 7);
  return a;
}

static void compareVectors(const char *name, bool moveRows) {
  Matrix a = filled(3, 4, 0.2), b = filled(4, 5, -0.3), c = filled(3, 5, 0);
  Matrix da = filled(3, 4, 0), db = filled(4, 5, 0), dc = filled(3, 5, 0);
  for (Matrix *d : {&da, &db, &dc})
    for (auto &row : *d)
      for (double &x : row)
        x = 0;
  if (moveRows) {
    std::swap(a[0], a[2]);
    std::swap(db[1], db[3]);
  }
  __enzyme_autodiff_void((void *)vectors, enzyme_dup, &a, &da, enzyme_dup, &b, &db, enzyme_dup, &c, &dc);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      CHECK_AT(name, 4 * i + j, da[i][j], SLOPE_WITHIN(1e-3, a[i][j], vectors(a, b, c)));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      CHECK_AT(name, 100 + 5 * i + j, db[i][j], SLOPE_WITHIN(1e-3, b[i][j], vectors(a, b, c)));
}

// Rows that are objects of their own, as LLVM knows: it may not forget that the gradient writes there.
static void compareLocals() {
  double a[3][3] = {{0.3, 0.4, 0.5}, {0.6, 0.2, 0.1}, {0.7, 0.8, 0.9}}, da[3][3] = {};
  double c0[3] = {}, c1[3] = {}, c2[3] = {}, dc0[3] = {}, dc1[3] = {}, dc2[3] = {};
  auto *b0 = new double[3]{0.4, 0.1, 0.2}, *b1 = new double[3]{0.5, 0.9, 0.3}, *b2 = new double[3]{0.8, 0.6, 0.7};
  auto *db0 = new double[3](), *db1 = new double[3](), *db2 = new double[3]();
  double *as[] = {a[0], a[1], a[2]}, *das[] = {da[0], da[1], da[2]};
  double *bs[] = {b0, b1, b2}, *dbs[] = {db0, db1, db2}, *cs[] = {c0, c1, c2}, *dcs[] = {dc0, dc1, dc2};
  __enzyme_autodiff_void((void *)product, enzyme_dup, as, das, enzyme_dup, bs, dbs, enzyme_dup, cs, dcs, 3);
  auto value = [&] {
    double zeros[3][3] = {}, *rows[] = {zeros[0], zeros[1], zeros[2]};
    return product(as, bs, rows, 3);
  };
  for (int j = 0; j < 3; j++) {
    CHECK_AT("first row", j, db0[j], SLOPE_WITHIN(1e-3, b0[j], value()));
    CHECK_AT("second row", j, db1[j], SLOPE_WITHIN(1e-3, b1[j], value()));
    CHECK_AT("third row", j, db2[j], SLOPE_WITHIN(1e-3, b2[j], value()));
    CHECK_AT("array", j, da[1][j], SLOPE_WITHIN(1e-3, a[1][j], value()));
    CHECK_AT("sums", j, dc1[j], 3 * c1[j] * c1[j]);
    CHECK_AT("results", j, c1[j], a[1][0] * b0[j] + a[1][1] * b1[j] + a[1][2] * b2[j]);
  }
  for (double *row : {b0, b1, b2, db0, db1, db2})
    delete[] row;
}

int main(void) {
  for (int kind = 0; kind < 4; kind++) {
    for (Layout layout : {Even, Wide, Uneven, Descending, Turns}) {
      compare(kind, layout, layout, N);
      compare(kind, layout, Even, N);
      compare(kind, Even, layout, N);
    }
    for (Layout layout : {Twice, Same, InPlace})
      compare(kind, layout, layout, N);
    for (unsigned seed = 1; seed <= 60; seed++)
      compareAnywhere(kind, seed);
  }
  compare(0, Even, Even, 1);
  compare(2, Even, Even, 1);
  derive(0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0);
  derive(2, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0);
  compareLocals();
  compareVectors("vectors", false);
  compareVectors("vectors with rows that moved", true);
  return finish();
}
