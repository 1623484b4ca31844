// Loops that write each element once and read it only behind that need no tape for what they read;
// loops that look like them, but come back to what they have read, do.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <string.h>

enum { N = 6, Cells = 64 };

// Each function fills memory from x and comes back with a number;
static double start(double *a, const double *x) {
  for (int i = 0; i < Cells; i++)
    a[i] = 0.3 + 0.1 * (i % 5) + 0.2 * x[i % N];
  return 0;
}
static double total(const double *a) {
  double sum = 0;
  for (int i = 0; i < Cells; i++)
    sum += (1 + 0.1 * i) * a[i] * a[i];
  return sum;
}
#define PROGRAM(NAME, ...)                                                                         \
  static double NAME(const double *x, double *a, int m, int one) {                                 \
    start(a, x);                                                                                   \
    __VA_ARGS__                                                                                    \
    return total(a);                                                                               \
  }

// The elements behind the one that is written.
PROGRAM(recurrence, for (int i = 1; i <= m; i++) a[i] = sin(a[i - 1]) * x[i];)
PROGRAM(longRecurrence, for (size_t i = 2; i <= (size_t)m; i++) a[i] = sin(a[i - 1]) * a[i - 2];)
PROGRAM(backwards, for (int i = m; i-- > 0;) a[i] = a[i + 1] * exp(0.3 * a[i + 1]);)
PROGRAM(
    untilSmall, int i = 0; while (a[i] > 0.2 && i < 30) {
      a[i + 1] = 0.8 * a[i] * a[i];
      i++;
    })
PROGRAM(states, for (int t = 0; t < 4; t++) for (int i = 1; i < m; i++)
                    a[(t + 1) * m + i] = a[t * m + i] * a[t * m + i] +
                                         0.1 * a[t * m + i - 1] * a[t * m + i];)
PROGRAM(
    triangle, for (int i = 0; i < m; i++) for (int j = 0; j <= i; j++) {
      double rest = x[(i + j) % N] + (i == j ? 4 : 0);
      for (int k = 0; k < j; k++)
        rest -= a[i * m + k] * a[j * m + k];
      a[i * m + j] = i == j ? sqrt(rest) : rest / a[j * m + j];
    })
PROGRAM(
    solve, for (int i = m; i-- > 0;) {
      double rest = x[i];
      for (int j = i + 1; j < m; j++)
        rest -= 0.1 * a[20 + j] * a[20 + j] * a[i * m + j];
      a[20 + i] = rest / a[i * m + i];
    })
PROGRAM(below, for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) if (j < i) a[i] +=
               0.1 * a[j] * a[j];)
PROGRAM(
    diagonals, for (int i = 0; i < m; i++) for (int j = 0; j <= i; j++) {
      if (i != j)
        a[i * m + j] = sin(a[j * m + j]) * x[j];
      else
        a[i * m + i] = 2 + x[i];
    })
PROGRAM(
    rows, for (int i = 0; i < 3; i++) {
      double *now = a + i * m, *next = a + (i + 1) * m;
      for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++)
          next[j] += 0.1 * now[k] * now[k];
    })

// The row of the pivot is not written again, whatever an index is counted in. Rows that overlap
// are.
#define ELIMINATION(NAME, TYPE, WIDTH)                                                             \
  PROGRAM(                                                                                         \
      NAME, TYPE n = m, width = WIDTH;                                                             \
      for (TYPE k = 0; k < n; k++) for (TYPE i = k + 1; i < n; i++) {                              \
        double f = a[i * width + k] / (3 + a[k * width + k]);                                      \
        for (TYPE j = k + 1; j < n; j++)                                                           \
          a[i * width + j] -= f * a[k * width + j];                                                \
      })
ELIMINATION(elimination, int, n)
ELIMINATION(longElimination, long, n)
ELIMINATION(unsignedElimination, size_t, n)
ELIMINATION(narrowElimination, int, n - 1)
ELIMINATION(halfElimination, long, n / 2)
ELIMINATION(wideElimination, long, n + one)

// They come back.
PROGRAM(inPlace, for (int i = 0; i < m; i++) a[i] = a[i] * a[i];)
PROGRAM(ahead, for (int i = 0; i < m; i++) a[i] = a[i + 1] * a[i + 1] * a[i];)
PROGRAM(upTo, for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) if (j <= i) a[i] +=
              0.1 * a[j] * a[j];)
PROGRAM(
    square, for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) {
      if (i != j)
        a[i * m + j] = sin(a[j * m + j]) * x[j];
      else
        a[i * m + i] = 2 + x[i] * a[i * m + i] * a[i * m + i];
    })
PROGRAM(sweeps,
        for (int s = 0; s < 3; s++) for (int i = 1; i <= m; i++) a[i] = sin(a[i - 1]) * a[i + 1];)
PROGRAM(narrowRows, for (int i = 0; i < 4; i++) for (int j = 0; j < m; j++)
                        a[(i + 1) * (m / 2) + j] = a[i * (m / 2) + j] * a[i * (m / 2) + j];)
PROGRAM(nearlyRows, for (int i = 0; i < 4; i++) for (int j = 0; j < m; j++)
                        a[(i + 1) * (m - 1) + j] = a[i * (m - 1) + j] * a[i * (m - 1) + j];)
PROGRAM(
    factors, for (int k = 0; k < m; k++) for (int i = k + 1; i < m; i++) {
      a[i * m + k] /= 3 + a[k * m + k];
      for (int j = k + 1; j < m; j++)
        a[i * m + j] -= a[i * m + k] * a[k * m + j];
    })
PROGRAM(twoBuffers, for (int t = 0; t < 5; t++) for (int i = 0; i < m; i++)
                        a[(t + 1) % 2 * m + i] = a[t % 2 * m + i] * a[t % 2 * m + i];)
PROGRAM(roundABlock,
        for (int i = 0; i < 11; i++)
            a[(unsigned char)(64 * (i + 1)) / 16] = sin(a[(unsigned char)(64 * i) / 16]);)
PROGRAM(wraps, for (unsigned i = 1; i < 9; i++)
                   a[(i * 0x40000000u >> 28)] = sin(a[((i - 1) * 0x40000000u >> 28)]);)
PROGRAM(standsStill,
        for (int i = 1; i < m; i++) a[9 + i * (one - 1)] = sin(a[9 + (i - 1) * (one - 1)]);)
PROGRAM(goesBack, for (int i = 0; i < m; i++) for (int j = 0; j < m; j++)
                      a[30 + i * -one + j] = a[29 + i * -one + j] * a[29 + i * -one + j];)
PROGRAM(again, for (int i = 1; i <= m; i++) a[i] = sin(a[i - 1]) * x[i]; a[one] = x[0];)
PROGRAM(later, for (int i = 1; i <= m; i++) a[i] = sin(a[i - 1]) * x[i];
        for (int i = 0; i < m; i++) a[i + one] = 0.5 * a[i] * a[i + one];)
PROGRAM(
    halves, for (int i = 0; i < m; i++) {
      double v;
      memcpy(&v, (char *)a + 8 * i, 8);
      v = v * v;
      memcpy((char *)a + 8 * i + 8 * one, &v, 8);
      a[i + 1] = 0.25 * v * a[i + 1];
    })
PROGRAM(
    innerFirst, for (int i = 0; i < m; i++) {
      for (int j = 0; j < 2; j++) {
        double v = a[2 * i + j];
        a[2 * i + 1] = v * v; /* What j = 1 reads, and what j = 0 has read for i + 1? No. */
        a[2 * i + 2] = v;
      }
    })

typedef double Program(const double *, double *, int, int);
static void check(const char *name, Program *volatile F, const double *dx, double *x, int m) {
  double a[Cells];
  for (int i = 0; i < N; i++)
    CHECK_AT(name, i, dx[i], SLOPE_WITHIN(1e-4, x[i], F(x, a, m, 1)));
}

#define TEST(F)                                                                                    \
  for (int m = 0; m < N; m++) {                                                                    \
    double dx[N] = {0}, da[Cells] = {0};                                                           \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_dupnoneed, a, da, enzyme_const, m,      \
                      enzyme_const, 1);                                                            \
    check(#F, F, dx, x, m);                                                                        \
  }

int main() {
  double x[N] = {0.3, 0.9, -0.4, 0.7, 0.55, -0.2}, a[Cells];
  TEST(recurrence);
  TEST(longRecurrence);
  TEST(backwards);
  TEST(untilSmall);
  TEST(states);
  TEST(triangle);
  TEST(solve);
  TEST(below);
  TEST(diagonals);
  TEST(rows);
  TEST(inPlace);
  TEST(ahead);
  TEST(upTo);
  TEST(square);
  TEST(sweeps);
  TEST(narrowRows);
  TEST(nearlyRows);
  TEST(factors);
  TEST(elimination);
  TEST(longElimination);
  TEST(unsignedElimination);
  TEST(narrowElimination);
  TEST(halfElimination);
  TEST(wideElimination);
  TEST(twoBuffers);
  TEST(roundABlock);
  TEST(wraps);
  TEST(standsStill);
  TEST(goesBack);
  TEST(again);
  TEST(later);
  TEST(halves);
  TEST(innerFirst);
  return finish();
}
