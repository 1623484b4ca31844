// An array for a nest of loops is sized before the outer one, though the inner one may not run.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"

/* A count of -1 where m is 0: guarded inside the outer loop only. */
double guarded(double *x, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x[0] = sin(x[0] + x[1]);
  return x[0] * x[1];
}
/* The inner bounds are in the wrong order, the outer guard is a comparison of both. */
double backwards(double *x, int n, int m) {
  for (int i = n; i <= m; i++)
    for (int j = 0; j < n; j++)
      for (int k = m; k < n; k++)
        x[0] = sin(x[0] * x[1]);
  return x[0] * x[1];
}
/* Whether the inner loop is reached is a matter of data; its count is not. */
double mask(double *x, int n, int m) {
  for (int i = 0; i < n; i++) {
    if (x[0] < 0.5 + 0.1 * i)
      for (int j = m; j > 0; j--)
        x[0] = sin(x[0] + x[1]);
    if (m > 1 && x[0] > 0.2)
      for (int j = 1; j < m; j++)
        x[1] = cos(x[0] * x[1]);
  }
  return x[0] * x[1];
}
/* A loop that is passed on the way, and a way out before the inner one. */
double passed(double *x, int n, int m) {
  for (int i = 0; i < n; i++) {
    int hits = 0;
    while (hits < i && x[hits % 2] > 0.1)
      hits++;
    if (hits > 3)
      break;
    for (int j = 0; j < m; j++)
      x[0] = sin(x[0] + x[1] * hits);
  }
  return x[0] * x[1];
}

/* Memory says whether the inner loop is reached: a count of 2^32 where it is not is no count. */
int reached[2] = {0, 1};
double doubted(double *x, int n, int m) {
  for (int i = 0; i < n; i++)
    if (reached[i % 2 * (m > 0)]) {
      unsigned long j = 0, last = (unsigned)(m - 1);
      do
        x[0] = sin(x[0] * x[1]);
      while (j++ != last);
    }
  return x[0] * x[1];
}

typedef double Function(double *, int, int);

static void check(const char *name, Function *f, double *gradient, int n, int m) {
  for (int k = 0; k < 2; k++) {
    double x0 = 0.4, x1 = 0.7;
    double slope = k ? SLOPE(x1, ({ double v[2] = {x0, x1}; f(v, n, m); }))
                     : SLOPE(x0, ({ double v[2] = {x0, x1}; f(v, n, m); }));
    CHECK_AT(name, 100 * n + 10 * m + k, gradient[k], slope);
  }
}

#define CHECK_ALL(F)                                                                           \
  do {                                                                                         \
    double x[2] = {0.4, 0.7}, dx[2] = {0};                                                     \
    __enzyme_autodiff((void *)F, x, dx, n, m);                                                 \
    check(#F, F, dx, n, m);                                                                    \
  } while (0)

int main(void) {
  for (int n = 0; n < 6; n++)
    for (int m = 0; m < 4; m++) {
      CHECK_ALL(guarded);
      CHECK_ALL(backwards);
      CHECK_ALL(mask);
      CHECK_ALL(passed);
      CHECK_ALL(doubted);
    }
  return finish();
}
