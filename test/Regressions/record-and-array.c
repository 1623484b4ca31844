// One pointer leads to an array in a record or to a plain array: the record's integer,
// its padding and copies of the record keep the types of its declaration.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"

struct Record {
  double a;
  int k;
  double v[3];
  double b;
};

static double f(double *p, int k, double b) {
  struct Record z = {p[0], k % 5, {p[1], p[2], b}, b}, t;
  double *from = z.v, *to = p;
  for (int i = 0; i < z.k + 1; i++) {
    for (int j = 0; j < 3; j++)
      to[j] = z.b * from[j] * 0.7 + sin(to[j]);
    double *other = from;
    from = to;
    to = other;
  }
  t = z;
  z.k = 0;
  return from[0] + t.v[t.k % 3] * t.a;
}

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double value(double x, double y, double w, int k, double b) {
  double p[3] = {x, y, w};
  return f(p, k, b);
}

int main(void) {
  double x = 0.4, y = 1.1, w = -0.3, b = 0.8;
  for (int k = 0; k < 4; k++) {
    double p[3] = {x, y, w}, dp[3] = {0, 0, 0};
    double db = __enzyme_autodiff((void *)f, p, dp, k, b);
    CHECK_AT("x", k, dp[0], SLOPE(x, value(x, y, w, k, b)));
    CHECK_AT("y", k, dp[1], SLOPE(y, value(x, y, w, k, b)));
    CHECK_AT("w", k, dp[2], SLOPE(w, value(x, y, w, k, b)));
    CHECK_AT("b", k, db, SLOPE(b, value(x, y, w, k, b)));
    double q[3] = {x, y, w}, dq[3] = {1, 0, 0};
    CHECK_AT("tangent", k, __enzyme_fwddiff((void *)f, q, dq, k, b, 0.0), dp[0]);
  }
  if (!failures)
    puts("ok");
  return failures != 0;
}
