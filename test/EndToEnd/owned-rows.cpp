// Tables of rows that a function makes itself: what is known of their rows, and tables of which less is
// true, for they share rows, hand them on, or hold memory of the caller's.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <array>
#include <stdlib.h>
#include <utility>
#include <vector>

using Matrix = std::vector<std::vector<double>>;
enum { N = 7, Count = (N - 2) * (N - 2) };

static double weighted(const Matrix &u) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += (1 + 0.1 * i - 0.05 * j) * u[i][j] * u[i][j];
  return sum;
}

// Two buffers that change places, with cells around that hold the other side's values.
double periodic(double *x, int steps) {
  Matrix u(N, std::vector<double>(N)), v = u;
  for (int i = 1; i + 1 < N; i++)
    for (int j = 1; j + 1 < N; j++)
      u[i][j] = x[(i - 1) * (N - 2) + j - 1];
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i + 1 < N; i++) {
      u[i][0] = u[i][N - 2];
      u[i][N - 1] = u[i][1];
      u[0][i] = u[N - 2][i];
      u[N - 1][i] = u[1][i];
    }
    for (int i = 1; i + 1 < N; i++)
      for (int j = 1; j + 1 < N; j++) {
        double c = u[i][j];
        v[i][j] = c + 0.1 * (u[i][j + 1] + u[i][j - 1] + u[i + 1][j] + u[i - 1][j] - 4 * c) +
                  0.05 * c * (1 - c);
      }
    u.swap(v);
  }
  return weighted(u);
}

// Rows of the two change places: a row of one was one of the other before.
double rowsSwapped(double *x, int steps) {
  Matrix u(N, std::vector<double>(N)), v = u;
  for (int i = 0; i < Count; i++)
    u[1 + i / (N - 2)][1 + i % (N - 2)] = x[i];
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i + 1 < N; i++)
      for (int j = 1; j + 1 < N; j++)
        v[i][j] = u[i][j] * (1 - 0.1 * u[i][j - 1]) + 0.2 * v[i - 1][j + 1] * u[i][j + 1];
    for (int i = s % 2; i < N; i += 2)
      u[i].swap(v[i]);
  }
  return weighted(u) + 0.5 * weighted(v);
}

// Rows inside one table change places.
double rotated(double *x, int steps) {
  Matrix u(N, std::vector<double>(N)), v = u;
  for (int i = 0; i < Count; i++)
    u[1 + i / (N - 2)][1 + i % (N - 2)] = x[i];
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i + 1 < N; i++)
      for (int j = 1; j + 1 < N; j++)
        v[i][j] += u[i][j - 1] * u[i][j] - 0.1 * u[i][j + 1];
    std::swap(u[1], u[2 + s % 3]);
  }
  return weighted(u) + 0.5 * weighted(v);
}

// A table of the caller's rows and of the function's own, chosen by number.
double mixedRows(double *x, int steps) {
  double *rows[4], *own = (double *)malloc(5 * sizeof(double)), sum = 0;
  for (int i = 0; i < 5; i++)
    own[i] = 0.1 * i;
  rows[0] = x;
  rows[1] = own;
  rows[2] = x + 5;
  rows[3] = x + 2;
  for (int s = 0; s < steps; s++)
    for (int j = 0; j + 1 < 5; j++)
      rows[s % 4][j] = rows[(s + 1) % 4][j] * rows[(s + 1) % 4][j + 1] + 0.5 * x[j + 6];
  for (int i = 0; i < Count; i++)
    sum += (1 + 0.1 * i) * x[i] * x[i];
  for (int i = 0; i < 5; i++)
    sum += own[i] * own[i];
  free(own);
  return sum;
}

// Two tables with one row in common, and a table that each iteration fills with rows of the last one.
double shared(double *x, int steps) {
  double *a[3], *b[3], *rows[5], sum = 0;
  for (int i = 0; i < 5; i++)
    rows[i] = (double *)calloc(6, sizeof(double));
  for (int i = 0; i < 3; i++) {
    a[i] = rows[i];
    b[i] = rows[2 + i];
  }
  for (int i = 0; i < 15; i++)
    a[i / 5][i % 5] = x[i];
  for (int s = 0; s < steps; s++)
    for (int i = 0; i < 3; i++) {
      double *from = a[(i + s) % 3], *to = b[i];
      for (int j = 0; j < 5; j++)
        to[j] = 0.7 * from[j] + 0.1 * from[j + 1] * x[j];
    }
  for (int i = 0; i < 15; i++)
    sum += a[i / 5][i % 5] * b[i / 5][i % 5] * (1 + 0.1 * i);
  for (int i = 0; i < 5; i++)
    free(rows[i]);
  return sum;
}

// Each step makes a table, whose first row is one of the table before.
double carried(double *x, int steps) {
  double sum = 0;
  double **old = (double **)malloc(2 * sizeof(double *)), *row = (double *)malloc(6 * sizeof(double));
  for (int i = 0; i < 6; i++)
    row[i] = x[i];
  old[0] = row;
  old[1] = row;
  for (int s = 0; s < steps; s++) {
    double **now = (double **)malloc(2 * sizeof(double *));
    double *next = (double *)malloc(6 * sizeof(double));
    for (int i = 0; i < 6; i++)
      next[i] = x[i + s] * 0.5;
    now[0] = row;
    now[1] = next;
    double *from = old[1], *to = now[0];
    for (int j = 0; j < 5; j++)
      to[j] = from[j] * from[j] + 0.3 * from[j + 1];
    for (int j = 0; j < 5; j++)
      sum += now[1][j] * to[j] * (1 + 0.1 * j);
    free(old);
    free(row);
    row = next;
    old = now;
  }
  free(old[1]);
  free(old);
  return sum;
}

// Alignment of two sequences: what the table is filled from is only read.
double alignment(double *x, int) {
  Matrix s(5, std::vector<double>(5));
  for (int i = 1; i < 5; i++)
    for (int j = 1; j < 5; j++) {
      double q = 0;
      for (int k = 0; k < 3; k++)
        q += x[(i - 1) * 3 + k] * x[12 + (j - 1) * 3 + k];
      s[i][j] = s[i - 1][j - 1] + q * (1 + 0.1 * s[i - 1][j] * s[i][j - 1]);
    }
  return s[4][4];
}

// Vectors of vectors that grow, and an array of vectors.
double grown(double *x, int steps) {
  Matrix u;
  std::array<std::vector<double>, 3> a;
  for (int i = 0; i < N; i++) {
    u.push_back(std::vector<double>(N, 0.1 * i));
    a[i % 3].assign(N, x[i]);
  }
  for (int s = 0; s < steps; s++)
    for (int j = 1; j + 1 < N; j++) {
      u[s][j] = a[s % 3][j] * x[j] + 0.3 * u[s + 1][j + 1];
      a[(s + 1) % 3][j - 1] += u[s][j] * u[s][j - 1];
    }
  return weighted(u) + a[0][2] * a[1][3] * a[2][1];
}

// A row that the caller's memory leads to as well, and one that it does not lead to.
static double *known;
double shownRow(double *x, int steps) {
  double *rows[3], *other[1] = {x}, sum = 0;
  for (int i = 0; i < 3; i++)
    rows[i] = (double *)calloc(8, sizeof(double));
  known = steps % 2 ? rows[1] : x;
  for (int s = 0; s <= steps; s++) {
    double *to = rows[s % 3], *from = s ? known : other[0];
    for (int j = 0; j < 6; j++) {
      double v = from[j];
      to[j] += v * v * x[j + 1];
      sum += to[j] * (1 + 0.1 * j);
    }
  }
  for (int i = 0; i < 3; i++)
    free(rows[i]);
  return sum;
}

// Tables that another function has made and filled, and that change places; a row of both.
__attribute__((noinline)) static double **rowsOf(int n, double *last) {
  double **rows = (double **)malloc((n + 1) * sizeof(double *));
  rows[0] = (double *)calloc(n * n, sizeof(double));
  for (int i = 1; i < n; i++)
    rows[i] = rows[0] + i * n;
  rows[n] = last;
  return rows;
}

double madeElsewhere(double *x, int steps) {
  double *last = (double *)calloc(N, sizeof(double)), sum = 0;
  double **u = rowsOf(N, last), **v = rowsOf(N, last);
  for (int i = 0; i < N * N; i++)
    u[0][i] = x[i % Count];
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j + 1 < N; j++)
        v[i][j] = x[s] * u[i][j + 1] + 0.3 * u[i + 1][j];
    for (int j = 0; j < N; j++)
      v[N][j] += u[N][j] * x[j] + u[s][j];
    std::swap(u, v);
  }
  for (int i = 0; i <= N; i++)
    for (int j = 0; j < N; j++)
      sum += u[i][j] * u[i][j] * (1 + 0.1 * j);
  for (double **t : {u, v}) {
    free(t[0]);
    free(t);
  }
  free(last);
  return sum;
}

static void compare(const char *name, double (*f)(double *, int), int steps) {
  double x[Count], at[Count], gradient[Count] = {};
  fill(x, Count, 11, 0.2, 0.9);
  for (int i = 0; i < Count; i++)
    at[i] = x[i];
  __enzyme_autodiff<double>((void *)f, enzyme_dup, at, gradient, steps);
  for (int i = 0; i < Count; i++) {
    auto value = [&] {
      double copy[Count];
      for (int k = 0; k < Count; k++)
        copy[k] = x[k];
      return f(copy, steps);
    };
    CHECK_AT(name, i, gradient[i], SLOPE_WITHIN(1e-3, x[i], value()));
  }
}

int main(void) {
  for (int steps : {0, 1, 4}) {
    compare("periodic", periodic, steps);
    compare("rowsSwapped", rowsSwapped, steps);
    compare("rotated", rotated, steps);
    compare("mixedRows", mixedRows, steps);
    compare("shared", shared, steps);
    compare("carried", carried, steps);
    compare("shownRow", shownRow, steps);
    compare("grown", grown, steps);
    compare("madeElsewhere", madeElsewhere, steps);
  }
  compare("alignment", alignment, 0);
  return finish();
}
