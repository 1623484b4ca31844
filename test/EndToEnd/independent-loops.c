// Reverse loops that LLVM is told to be independent, beside loops that look like them and are not:
// rows that reach into the next row, distances that are known at run time only.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { Most = 48 };

static double end(const double *u, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (1 + 0.1 * i) * u[i] * u[i];
  return sum;
}

static int sideOf(int n) {
  int side = 0;
  while ((side + 1) * (side + 1) <= n)
    side++;
  return side;
}

// A square, and what is copied back.
static double copied(const double *x, int n) {
  double now[Most], next[Most];
  int side = sideOf(n);
  memcpy(now, x, n * sizeof(double));
  for (int s = 0; s < 3; s++) {
    for (int r = 1; r < side - 1; r++)
      for (int c = 1; c < side - 1; c++) {
        double v = now[r * side + c];
        next[r * side + c] = v + 0.1 * v * v +
                             0.15 * now[(r - 1) * side + c] * now[(r + 1) * side + c] +
                             0.15 * (now[r * side + c - 1] + now[r * side + c + 1]);
      }
    for (int r = 1; r < side - 1; r++)
      for (int c = 1; c < side - 1; c++)
        now[r * side + c] = next[r * side + c];
  }
  return end(now, n);
}

// The loop goes on into the rows below, so that rows meet.
static double longRows(const double *x, int n) {
  double out[Most] = {0};
  int side = sideOf(n);
  for (int r = 0; r + 3 < side; r++)
    for (int c = 0; c < 2 * side; c++)
      out[c] += x[r * side + c] * x[(r + 1) * side + c];
  return end(out, n);
}

static double apartBy(const double *x, int n, int by) {
  double out[Most] = {0};
  for (int i = 0; i + by < n; i++)
    out[i] = x[i] * x[i + by];
  return end(out, n);
}
static double apart(const double *x, int n) {
  double sum = 0;
  for (int by = 0; by < 7; by++)
    sum += (by + 1) * apartBy(x, n, by);
  return sum;
}

// Eight elements, and the eight behind them.
static double halves(const double *x, int n) {
  double out[8] = {0};
  if (n >= 16)
    for (int i = 0; i < 8; i++)
      out[i] = x[i] * x[i + 8];
  if (n >= 15)
    for (int i = 0; i < 8; i++)
      out[i] += sin(x[i] * x[i + 7]);
  return end(out, 8);
}

// The row of the pivot, and those below it. With indices that may wrap, nothing is known of
// products.
#define ELIMINATION(Name, Integer)                                                                 \
  static double Name(const double *x, int n) {                                                     \
    double a[Most], sum = 0;                                                                       \
    Integer side = sideOf(n);                                                                      \
    for (Integer i = 0; i < side * side; i++)                                                      \
      a[i] = x[i] + (i % (side + 1) == 0 ? 3 : 0);                                                 \
    for (Integer k = 0; k < side; k++) {                                                           \
      for (Integer i = k + 1; i < side; i++) {                                                     \
        double factor = a[i * side + k] / a[k * side + k];                                         \
        for (Integer j = k + 1; j < side; j++)                                                     \
          a[i * side + j] -= factor * a[k * side + j];                                             \
      }                                                                                            \
      sum += log(fabs(a[k * side + k]));                                                           \
    }                                                                                              \
    return sum;                                                                                    \
  }
ELIMINATION(elimination, int)
ELIMINATION(eliminationLong, long)
ELIMINATION(eliminationSize, size_t)

#define ROWS(Name, Integer)                                                                        \
  static double Name(const double *x, int n) {                                                     \
    double out[Most] = {0};                                                                        \
    Integer side = sideOf(n);                                                                      \
    for (Integer r = 1; r + 1 < side; r++)                                                         \
      for (Integer c = 0; c + 1 < side; c++)                                                       \
        out[r * side + c] =                                                                        \
            x[r * side + c] * x[(r - 1) * side + c + 1] + sin(x[(r + 1) * side + c]);              \
    return end(out, n);                                                                            \
  }
ROWS(rowsSize, size_t)
ROWS(rowsUnsigned, unsigned)

// Rows i and j of a triangle with its diagonal, where both are one row; Stride: from one row to the
// next one, which rows of `side` numbers may reach into.
#define GRAM(Name, Integer, Stride, Last)                                                          \
  static double Name(const double *x, int n) {                                                     \
    double out[4 * Most] = {0};                                                                    \
    Integer side = sideOf(n);                                                                      \
    for (Integer i = 0; i + 1 < side; i++)                                                         \
      for (Integer j = 0; j <= (Last); j++) {                                                      \
        double sum = 0;                                                                            \
        for (Integer k = 0; k < side; k++)                                                         \
          sum += x[i * (Stride) + k] * sin(x[j * (Stride) + k]);                                   \
        out[i * side + j] += sum;                                                                  \
      }                                                                                            \
    return end(out, 4 * Most);                                                                     \
  }
GRAM(gram, int, side, i)
GRAM(gramLong, long, side, i)
GRAM(gramBeyond, int, side, i + 1)
GRAM(gramShort, int, side - 1, i)
GRAM(gramOne, long, 1, i)

static double cholesky(const double *x, int n) {
  double l[Most], sum = 0;
  int side = sideOf(n);
  for (int i = 0; i < side; i++)
    for (int j = 0; j <= i; j++) {
      double rest = x[i * side + j] + (i == j ? 9 : 0);
      for (int k = 0; k < j; k++)
        rest -= l[i * side + k] * l[j * side + k];
      l[i * side + j] = i == j ? sqrt(rest) : rest / l[j * side + j];
      sum += i == j ? log(rest) : 0.1 * l[i * side + j];
    }
  return sum;
}

struct body {
  double place[3], speed[3];
};
// Members of one element, and of the next one.
static double members(const double *x, int n) {
  struct body bodies[Most / 6] = {0};
  double out[Most] = {0};
  int count = n / 6;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      bodies[i].place[k] = x[6 * i + k];
      bodies[i].speed[k] = x[6 * i + 3 + k];
    }
  for (int i = 0; i < count; i++)
    out[i] = bodies[i].place[0] * bodies[i].speed[1] + bodies[i].place[2];
  for (int i = 0; i + 1 < count; i++)
    out[i] += bodies[i].place[0] * bodies[i + 1].place[0] * bodies[i].speed[2];
  return end(out, n);
}

// Both are only read, and one array: what is added to one shadow is added to the other.
__attribute__((noinline)) static void shifted(const double *restrict a, const double *restrict b,
                                              double *restrict out, int n) {
  for (int i = 0; i + 1 < n; i++)
    out[i] = a[i] * sin(b[i + 1]);
}
static double sameTwice(const double *x, int n) {
  double out[Most] = {0};
  shifted(x, x, out, n);
  return end(out, n);
}

static volatile int nothing = 0;
// Copies of blocks that overlap, that do not, and of a block to itself.
static double blocks(const double *x, int n) {
  double u[Most + 4] = {0};
  memcpy(u, x, n * sizeof(double));
  memmove(u + 1, u, n * sizeof(double));
  memmove(u, u + 2, n * sizeof(double));
  memmove(u + nothing, u, n * sizeof(double));
  memcpy(u + n / 2, x, n / 2 * sizeof(double));
  return end(u, n);
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double slopes[Most] = {0};                                                                     \
    __enzyme_autodiff((void *)F, enzyme_dup, x, slopes, enzyme_const, n);                          \
    for (int i = 0; i < n; i++)                                                                    \
      CHECK_AT(#F, i, slopes[i], SLOPE_WITHIN(1e-3, x[i], F(x, n)));                               \
  } while (0)

int main() {
  double x[Most];
  for (int i = 0; i < Most; i++)
    x[i] = sin(1.7 * i) + 0.2;
  for (int n = 0; n <= Most; n += n < 4 ? 1 : 11) {
    TEST(copied);
    TEST(longRows);
    TEST(apart);
    TEST(halves);
    TEST(elimination);
    TEST(eliminationLong);
    TEST(eliminationSize);
    TEST(rowsSize);
    TEST(rowsUnsigned);
    TEST(gram);
    TEST(gramLong);
    TEST(gramBeyond);
    TEST(gramShort);
    TEST(gramOne);
    TEST(cholesky);
    TEST(members);
    TEST(sameTwice);
    TEST(blocks);
  }
  return finish();
}
