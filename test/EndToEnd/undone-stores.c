// Where memory is overwritten that the reverse sweep reads, a store may be undone instead of keeping
// what many loads have read; where the value is read too late for that, or somebody could see it,
// loads are kept.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --keep=plan,recompute --flag=-mllvm --flag=-isozyme-undo=always %s
#include "check.h"

enum { N = 6, Cells = 64 };
typedef double Program(const double *, int);

static void start(double *a, const double *x) {
  for (int i = 0; i < Cells; i++)
    a[i] = 0.3 + 0.1 * (i % 5) + 0.2 * x[i % N];
}
static double total(const double *a) {
  double sum = 0;
  for (int i = 0; i < Cells; i++)
    sum += (1 + 0.1 * i) * a[i] * a[i];
  return sum;
}
#define PROGRAM(NAME, ...)                                                                         \
  static double NAME(const double *x, int m) {                                                     \
    double *a = malloc(Cells * sizeof(double));                                                    \
    start(a, x);                                                                                   \
    __VA_ARGS__                                                                                    \
    double result = total(a);                                                                      \
    free(a);                                                                                       \
    return result;                                                                                 \
  }

// Each element is overwritten once in a sweep and read several times.
PROGRAM(inPlace, for (int t = 0; t < m; t++) for (int i = 1; i < Cells - 1; i++) a[i] =
            0.5 * a[i] * a[i - 1] + 0.4 * a[i + 1] * a[i + 1];)
PROGRAM(twoSweeps, for (int t = 0; t < m; t++) {
  for (int i = 1; i < Cells; i++)
    a[i] += 0.1 * a[i - 1] * a[i];
  for (int i = Cells - 1; i-- > 0;)
    a[i] = 0.7 * a[i] - 0.2 * a[i] * a[i + 1];
})
PROGRAM(pairs, double v[8] = {0}; for (int t = 0; t < m; t++) {
  for (int i = 0; i < 8; i++) {
    double force = 0;
    for (int j = 0; j < 8; j++)
      force += sin(a[i] - a[j]) / (1 + (a[i] - a[j]) * (a[i] - a[j]));
    v[i] -= 0.1 * force * a[i];
  }
  for (int i = 0; i < 8; i++)
    a[i] += 0.2 * v[i] * x[i % N];
})
// One element at a time, in an order of its own, or only at times.
PROGRAM(turns, int at = 0; for (int t = 0; t < 5 * m; t++) {
  at = (at * 5 + 3 + m) % Cells;
  a[at] = a[at] * a[(at + 1) % Cells] + 0.1 * a[at];
})
PROGRAM(atTimes, for (int t = 0; t < m; t++) for (int i = 0; i < Cells; i++) if ((i + t) % 3)
            a[i] = 0.9 * a[i] + 0.1 * sin(a[i] * a[(i * 7 + t) % Cells]);)
PROGRAM(untilSmall, int i = 0; while (a[i % 4] > 0.2 && i < 9 * m) {
  a[i % 4] *= 0.9 * a[(i + 1) % 4] * x[2] + 0.3;
  i++;
})
PROGRAM(byValue, for (int t = 0; t < 4 * m; t++) {
  int to = (int)(10 * fabs(a[t])) % Cells;
  a[to] = 0.8 * a[to] * a[t + 1] + 0.1 * a[to];
})
PROGRAM(accumulator, a[0] = 0; for (int t = 0; t < m; t++) for (int i = 1; i < Cells; i++) {
  a[0] += a[i] * a[i];
  a[i] = 0.3 * a[i] * a[0] / (1 + a[0]);
})
// A row of a buffer is made of those in front of it, and both are overwritten for the next one.
PROGRAM(recurrence, double sum = 0; for (int t = 0; t < m; t++) {
  double p[12];
  p[0] = 1;
  p[1] = x[t];
  for (int k = 1; k < 11; k++)
    p[k + 1] = ((2 * k + 1) * x[t] * p[k] - k * p[k - 1]) / (k + 1);
  for (int k = 0; k < 12; k++)
    sum += p[k] * p[11 - k];
} a[0] += sum;)
// What is overwritten between a load and the reader of its value comes back too late.
PROGRAM(tooLate, for (int t = 0; t < m; t++) for (int i = 0; i < Cells; i++) {
  double v = a[i];
  a[i] = 0.5;
  a[i] += 0.2 * v * v;
})
PROGRAM(readBehindALoop, for (int t = 0; t < m; t++) {
  double first = a[0] * x[0], sum = 0;
  for (int i = 0; i < Cells; i++) {
    sum += first * first * a[i];
    a[i] = 0.1 * a[i] + 0.3 * first * a[i];
  }
  a[3] = 0.01 * sum * sin(first);
})
PROGRAM(laterRow, for (int t = 0; t < m; t++) {
  double row[8];
  for (int i = 0; i < 8; i++)
    row[i] = a[i] * x[t];
  for (int i = 0; i < 8; i++)
    a[i] = 0.3 * a[(i + 1) % 8];
  for (int i = 0; i < 8; i++)
    a[i] += row[i] * row[i] * 0.2;
})
PROGRAM(exchanged, for (int t = 0; t < m; t++) for (int i = 0; i + 1 < Cells; i++) {
  double left = a[i], right = a[i + 1];
  a[i] = right * sin(left);
  a[i + 1] = left * cos(left);
})
PROGRAM(oneInFront, for (int t = 0; t < m; t++) for (int i = 0; i + 1 < Cells; i++) {
  a[i + 1] = 0.5 * a[i] * a[i];
  a[i] = 0.5 * a[i + 1] * a[i] + 0.1 * x[t];
})
// Others write the memory, too.
PROGRAM(cleared, for (int t = 0; t < m; t++) {
  for (int i = 0; i < 8; i++)
    a[8 + i] += a[i] * a[i + 1] * a[8 + i];
  memset(a, 0, 4 * sizeof(double));
  for (int i = 0; i < 8; i++)
    a[i] += 0.3 * a[i + 8] * a[i + 9];
})
PROGRAM(copied, double b[8]; for (int t = 0; t < m; t++) {
  memcpy(b, a + t, sizeof b);
  for (int i = 0; i < 8; i++)
    b[i] = 0.5 * b[i] * b[(i + 1) % 8] + 0.2 * b[i];
  for (int i = 0; i < 8; i++)
    a[i] = 0.9 * a[i] * b[i] + 0.1 * b[i] * b[i];
})
__attribute__((noinline)) static void smooth(double *a, int from) {
  for (int i = from; i < from + 8; i++)
    a[i] = 0.5 * a[i] * a[i + 1];
}
PROGRAM(called, for (int t = 0; t < m; t++) {
  for (int i = 0; i < 8; i++)
    a[i] = 0.3 * a[i] * a[i] + 0.2 * a[i + 1] * a[i];
  smooth(a, t);
})
PROGRAM(twoBlocks, double b[Cells]; start(b, x); for (int t = 0; t < m; t++) {
  double *from = t % 2 ? a : b, *to = t % 2 ? b : a;
  for (int i = 1; i < Cells; i++)
    to[i] = 0.5 * from[i] * from[i - 1] + 0.2 * to[i] * to[i - 1];
})
PROGRAM(ofFour, for (int t = 0; t < m; t++) for (int i = 0; i < Cells; i += 4) {
  for (int k = 0; k < 4; k++)
    a[i + k] = a[i + k] * a[i + k] * 0.5 + 0.1 * x[k];
  a[i] += a[i + 1] * a[i + 2];
})

// The caller sees what is left in its memory.
static double visible(const double *x, double *out, int m) {
  double a[Cells];
  start(a, x);
  start(out, x);
  for (int t = 0; t < m; t++)
    for (int i = 1; i < Cells; i++) {
      a[i] = 0.5 * a[i] * a[i - 1] + 0.2 * a[i];
      out[i] = 0.5 * out[i] * out[i - 1] + 0.2 * a[i] * out[i];
    }
  return total(a) + total(out);
}

static void check(const char *name, Program *volatile F, const double *dx, double *x, int m) {
  for (int i = 0; i < N; i++)
    CHECK_AT(name, i, dx[i], SLOPE_WITHIN(1e-4, x[i], F(x, m)));
}

#define TEST(F)                                                                                    \
  for (int m = 0; m < N; m++) {                                                                    \
    double dx[N] = {0};                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_const, m);                              \
    check(#F, F, dx, x, m);                                                                        \
  }

static double seen(const double *x, int m) {
  double out[Cells];
  return visible(x, out, m);
}

static void testVisible(double *x) {
  double dx[N] = {0}, out[Cells], dout[Cells] = {0}, expected[Cells];
  visible(x, expected, 3);
  __enzyme_autodiff((void *)visible, enzyme_dup, x, dx, enzyme_dup, out, dout, enzyme_const, 3);
  check("visible", seen, dx, x, 3);
  for (int i = 0; i < Cells; i++)
    CHECK_AT("out", i, out[i], expected[i]);
}

int main() {
  double x[N] = {0.3, 0.9, -0.4, 0.7, 0.55, -0.2};
  TEST(inPlace);
  TEST(twoSweeps);
  TEST(pairs);
  TEST(turns);
  TEST(atTimes);
  TEST(untilSmall);
  TEST(byValue);
  TEST(accumulator);
  TEST(recurrence);
  TEST(tooLate);
  TEST(readBehindALoop);
  TEST(laterRow);
  TEST(exchanged);
  TEST(oneInFront);
  TEST(cleared);
  TEST(copied);
  TEST(called);
  TEST(twoBlocks);
  TEST(ofFour);
  testVisible(x);
  return finish();
}
