// Loops over neighbours, in several dimensions: what is kept of one element lies at one place of the
// tape, for all iterations that read it. Loops that look like them, but write to what they read, keep
// what each iteration has read.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { Most = 64 };

static double end(const double *u, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (1 + 0.1 * i) * u[i] * u[i];
  return sum;
}

// Steps from one buffer to the other.
typedef void Step(const double *restrict now, double *restrict next, int n);
static inline double steps(Step *step, const double *x, int n) {
  double *now = malloc((n + 1) * sizeof(double)), *next = malloc((n + 1) * sizeof(double));
  memcpy(now, x, n * sizeof(double));
  memcpy(next, x, n * sizeof(double));
  for (int s = 0; s < 3; s++) {
    step(now, next, n);
    double *other = now;
    now = next;
    next = other;
  }
  double sum = end(now, n);
  free(now);
  free(next);
  return sum;
}

static void lineStep(const double *restrict now, double *restrict next, int n) {
  for (int i = 1; i + 1 < n; i++)
    next[i] = now[i] + 0.1 * now[i - 1] * now[i] * now[i + 1];
}
static double line(const double *x, int n) { return steps(lineStep, x, n); }

// From above, with a gap, and one element twice.
static void downStep(const double *restrict now, double *restrict next, int n) {
  for (int i = n - 4; i >= 1; i--)
    next[i] = now[i] + 0.1 * now[i - 1] * now[i + 1] * now[i + 3] * sin(now[i + 1]);
}
static double down(const double *x, int n) { return steps(downStep, x, n); }

static int rowsOf(int n) {
  int rows = 0;
  while ((rows + 1) * (rows + 1) <= n)
    rows++;
  return rows;
}
static void plateStep(const double *restrict now, double *restrict next, int n) {
  int side = rowsOf(n);
  for (int r = 1; r + 1 < side; r++)
    for (int i = r * side + 1; i + 1 < (r + 1) * side; i++)
      next[i] = now[i] * (1 - 0.1 * now[i]) + 0.01 * now[i - 1] * now[i + 1] * now[i - side] +
                0.02 * now[i + side] * now[i + side];
}
static double plate(const double *x, int n) { return steps(plateStep, x, n); }

// Column by column, and corners.
static void columnStep(const double *restrict now, double *restrict next, int n) {
  int side = rowsOf(n);
  for (int c = 1; c + 1 < side; c++)
    for (int r = 1; r + 1 < side; r++) {
      const double *at = now + r * side + c;
      next[r * side + c] = at[0] + 0.1 * at[-side - 1] * at[side + 1] * at[0] - 0.1 * at[1 - side];
    }
}
static double columns(const double *x, int n) { return steps(columnStep, x, n); }

static void boxStep(const double *restrict now, double *restrict next, int n) {
  int side = n < 8 ? 1 : n < 27 ? 2 : n < 64 ? 3 : 4, plane = side * side;
  for (int z = 1; z + 1 < side; z++)
    for (int y = 1; y + 1 < side; y++)
      for (int i = z * plane + y * side + 1; i + 1 < z * plane + (y + 1) * side; i++)
        next[i] = now[i] * now[i] + 0.1 * now[i - 1] * now[i + 1] +
                  0.1 * now[i - side] * now[i + side] + 0.1 * now[i - plane] * now[i + plane];
}
static double box(const double *x, int n) { return steps(boxStep, x, n); }

// Sizes that are known, and rows that some conditions leave out.
enum { Rows = 5, Columns = 6 };
static void tableStep(const double *restrict now, double *restrict next, int n) {
  if (n < Rows * Columns)
    return;
  for (int r = 1; r + 1 < Rows; r++) {
    if (now[r * Columns] > 0.9)
      continue;
    for (int c = 1; c + 1 < Columns; c++) {
      const double *at = now + r * Columns + c;
      double sum = at[0] * at[0] * at[-1];
      if (at[1] > 0)
        sum += at[Columns] * at[1] * at[-Columns];
      next[r * Columns + c] = 0.3 * sum;
    }
  }
}
static double table(const double *x, int n) { return steps(tableStep, x, n); }

// Rows of different lengths.
static void triangleStep(const double *restrict now, double *restrict next, int n) {
  int side = rowsOf(n);
  for (int r = 1; r + 1 < side; r++)
    for (int c = 1; c <= r && c + 1 < side; c++) {
      int i = r * side + c;
      next[i] = now[i] + 0.1 * now[i - side] * now[i + side] * now[i + 1] * now[i];
    }
}
static double triangle(const double *x, int n) { return steps(triangleStep, x, n); }

// What has been read changes in the same step: in a later row, and in a later iteration.
static double inPlace(const double *x, int n) {
  double u[Most];
  int side = rowsOf(n);
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  for (int s = 0; s < 3; s++) {
    for (int r = 1; r + 1 < side; r++)
      for (int i = r * side + 1; i + 1 < (r + 1) * side; i++)
        u[i] = 0.3 * u[i - 1] * u[i + side] + u[i + 1] * u[i] - 0.1 * u[i - side] * u[i];
    for (int r = 0; r + 1 < side; r++) {
      for (int c = 1; c + 1 < side; c++)
        u[r * side + c] += 0.1 * u[(r + 1) * side] * u[(r + 1) * side + 1];
      u[(r + 1) * side] *= 0.9;
    }
    for (long r = 1; r < side; r++)
      for (long c = 0; c < side; c++)
        u[r * side + c] = 0.3 * u[(r - 1) * side + c] * sin(u[r * side + c]);
  }
  return end(u, n);
}

// A ring: in front of the first is the last. Counters of the iteration before, of 32 bits and with
// steps.
static double ring(const double *x, int n) {
  double sum = 0;
  int before = n - 1, earlier = n - 1;
  for (int i = 0; i < n; i++) {
    sum += (1 + i) * x[i] * x[i] * x[before] * x[earlier];
    earlier = before;
    before = i;
  }
  unsigned char far = 3;
  for (int i = n - 1; i >= 0; i -= 2) {
    sum += x[i] * x[far % n];
    far = (unsigned char)(i + 200);
  }
  return sum;
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double slope[Most] = {0};                                                                      \
    __enzyme_autodiff((void *)F, enzyme_dup, x, slope, enzyme_const, n);                           \
    for (int i = 0; i < n; i++)                                                                    \
      CHECK_AT(#F, i, slope[i], SLOPE_WITHIN(1e-3, x[i], F(x, n)));                                \
  } while (0)

int main() {
  double x[Most];
  for (int i = 0; i < Most; i++)
    x[i] = sin(1.7 * i) + 0.2;
  static const int sizes[] = {0, 1, 2, 3, 4, 5, 7, 9, 16, 25, 30, 49, 64};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k];
    TEST(line);
    TEST(down);
    TEST(plate);
    TEST(columns);
    TEST(box);
    TEST(table);
    TEST(triangle);
    TEST(inPlace);
    TEST(ring);
  }
  return finish();
}
