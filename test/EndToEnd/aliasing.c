// Arguments that are one memory or overlap; in-place updates, swaps, ping-pong buffers, prefix sums,
// overlapping moves; constant buffers stay as they are; side effects happen once and in order.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 8 };

/* Reads a, writes b, which may be the same or overlap. */
static void mix(double *a, double *b, int n) {
  for (int i = 0; i < n; i++) {
    b[i] = b[i] * a[i] + a[n - 1 - i];
    a[i] = a[i] * a[i] - b[n - 1 - i];
  }
}
static void shifted(double *a, double *b, int n) {
  for (int i = 0; i < n; i++)
    b[i] = a[i] * a[i] + 0.5 * b[i];
  for (int i = n - 1; i >= 0; i--)
    a[i] += b[i] * b[i];
}
static void moved(double *a, double *b, int n) {
  memmove(a + 1, b, n / 2 * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = a[i] * b[n - 1 - i];
  memmove(b, a + 2, n / 2 * sizeof *a);
}
static void prefix(double *a, double *b, int n) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1] * a[i];
  for (int i = n - 2; i >= 0; i--)
    b[i] = b[i] * 0.5 + b[i + 1];
}
static void swaps(double *a, double *b, int n) {
  for (int i = 0; i < n; i++) {
    double t = a[i];
    a[i] = b[n - 1 - i];
    b[n - 1 - i] = t * t;
  }
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) {
      double t = a[i];
      a[i] = a[i + 1];
      a[i + 1] = t;
    }
}
static void pingPong(double *a, double *b, int n) {
  double other[N];
  double *from = a, *to = other;
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < n; i++)
      to[i] = 0.3 * from[(i + 1) % n] * from[i] + 0.5 * from[(i + n - 1) % n];
    double *t = from;
    from = to;
    to = t;
  }
  for (int i = 0; i < n; i++)
    b[i] += from[i] * to[i];
}

typedef void Update(double *, double *, int);
static double total(const double *m) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += m[i] * m[i] * (i + 1);
  return sum;
}
static double after(Update *f, const double *m, int a, int b, int n) {
  double copy[N];
  memcpy(copy, m, sizeof copy);
  f(copy + a, copy + b, n);
  return total(copy);
}

/* Gradient of total(m) after F(m + A, m + B, n), where both views share m. */
#define TEST(F, A, B, COUNT)                                                                       \
  do {                                                                                             \
    double m[N], d[N], t[N], x[N];                                                                 \
    memcpy(x, start, sizeof x);                                                                    \
    memcpy(m, x, sizeof m);                                                                        \
    memcpy(t, direction, sizeof t);                                                                \
    F(m + A, m + B, COUNT);                                                                        \
    for (int i = 0; i < N; i++)                                                                    \
      d[i] = 2 * m[i] * (i + 1);                                                                   \
    memcpy(m, x, sizeof m);                                                                        \
    __enzyme_autodiff((void *)F, enzyme_dup, m + A, d + A, enzyme_dup, m + B, d + B, enzyme_const, \
                      COUNT);                                                                      \
    for (int i = 0; i < N; i++)                                                                    \
      CHECK_AT(#F " " #A " " #B, i, d[i], SLOPE(x[i], after(F, x, A, B, COUNT)));                  \
    memcpy(m, x, sizeof m);                                                                        \
    __enzyme_fwddiff((void *)F, enzyme_dup, m + A, t + A, enzyme_dup, m + B, t + B, enzyme_const,  \
                     COUNT);                                                                       \
    double along = 0;                                                                              \
    for (int i = 0; i < N; i++)                                                                    \
      along += t[i] * 2 * m[i] * (i + 1);                                                          \
    CHECK(#F " jvp " #A " " #B, along, innerProduct(direction, d, N));                             \
  } while (0)
#define TEST_VIEWS(F)                                                                              \
  TEST(F, 0, 0, 4);                                                                                \
  TEST(F, 0, 2, 5);                                                                                \
  TEST(F, 3, 0, 4);                                                                                \
  TEST(F, 0, 4, 4)

static char said[64];
static void say(char c) {
  size_t n = strlen(said);
  said[n] = c;
}
double speaking(const double *x, const double *weights, const int *order, int n) {
  double sum = 0;
  say('(');
  for (int i = 0; i < n; i++) {
    say('a' + order[i]);
    sum += x[order[i]] * x[i] * weights[i];
  }
  say(')');
  return sum;
}

int main(void) {
  double start[N], direction[N];
  fill(start, N, 91, -1, 1);
  fill(direction, N, 92, -1, 1);
  TEST_VIEWS(mix);
  TEST_VIEWS(shifted);
  TEST_VIEWS(moved);
  TEST_VIEWS(prefix);
  TEST_VIEWS(swaps);
  TEST_VIEWS(pingPong);

  double weights[N], x[N], dx[N] = {0}, kept[N];
  int order[N] = {3, 1, 4, 1, 5, 7, 2, 6}, keptOrder[N];
  fill(weights, N, 93, -1, 1);
  memcpy(x, start, sizeof x);
  memcpy(kept, weights, sizeof kept);
  memcpy(keptOrder, order, sizeof order);
  __enzyme_autodiff((void *)speaking, enzyme_dup, x, dx, enzyme_const, weights, enzyme_const, order,
                    enzyme_const, N);
  CHECK("said once", strcmp(said, "(dbebfhcg)"), 0);
  CHECK("constant floats", memcmp(kept, weights, sizeof kept), 0);
  CHECK("constant integers", memcmp(keptOrder, order, sizeof order), 0);
  CHECK("argument", memcmp(start, x, sizeof x), 0);
  for (int i = 0; i < N; i++)
    CHECK_AT("speaking", i, dx[i],
             SLOPE(x[i], (memset(said, 0, sizeof said), speaking(x, weights, order, N))));
  return finish();
}
