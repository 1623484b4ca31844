// Polynomials: Horner with derivative and error bound, Chebyshev fit and Clenshaw sum, root polishing.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define DEGREE 7

typedef struct {
  double value, slope, bound;
} Horner;

static Horner horner(const double *c, int degree, double x) {
  Horner h = {c[degree], 0, fabs(c[degree])};
  for (int i = degree - 1; i >= 0; --i) {
    h.slope = h.slope * x + h.value;
    h.value = h.value * x + c[i];
    h.bound = h.bound * fabs(x) + fabs(h.value);
  }
  return h;
}

/* Polishes a root by Newton steps until the value is within rounding errors. */
double polish(const double *c, double x) {
  for (int i = 0; i < 60; i++) {
    Horner h = horner(c, DEGREE, x);
    if (fabs(h.value) <= 1e-15 * h.bound)
      break;
    x -= h.value / h.slope;
  }
  return x;
}

/* Divides the roots out one after the other and returns the sum of their squares. */
double deflate(const double *c, const double *starts, int roots) {
  double q[DEGREE + 1], sum = 0;
  memcpy(q, c, sizeof q);
  for (int r = 0, degree = DEGREE; r < roots; r++, degree--) {
    double x = starts[r];
    for (int i = 0; i < 12; i++) {
      Horner h = horner(q, degree, x);
      x -= h.value / h.slope;
    }
    sum += x * x;
    double carry = q[degree];
    for (int i = degree - 1; i >= 0; i--) {
      double t = q[i];
      q[i] = carry;
      carry = t + carry * x;
    }
  }
  return sum;
}

static void chebyshev(const double *samples, double *c, int n) {
  for (int k = 0; k < n; k++) {
    c[k] = 0;
    for (int j = 0; j < n; j++)
      c[k] += 2.0 / n * samples[j] * cos(M_PI * k * (j + 0.5) / n);
  }
}
double clenshaw(const double *samples, int n, double x) {
  double c[n], d = 0, dd = 0;
  chebyshev(samples, c, n);
  for (int k = n; --k > 0;) {
    double keep = d;
    d = 2 * x * d - dd + c[k];
    dd = keep;
  }
  return x * d - dd + 0.5 * c[0];
}

int main(void) {
  /* (x-1)(x-2)(x-3)(x^2+1)(x^2+x+2) */
  double c[DEGREE + 1] = {-12, 16, -19, 18, -8, 2, -4, 1}, d[DEGREE + 1] = {0}, t[DEGREE + 1];
  double roots[3] = {1, 2, 3}, from[DEGREE + 1] = {1}, starts[3];
  double quadratics[2][2] = {{1, 0}, {2, 1}};
  memset(from + 1, 0, sizeof from - sizeof *from);
  for (int r = 0, degree = 0; r < 3; r++, degree++)
    for (int i = degree + 1; i >= 0; i--)
      from[i] = (i ? from[i - 1] : 0) - roots[r] * from[i];
  for (int k = 0, degree = 3; k < 2; k++, degree += 2)
    for (int i = degree + 2; i >= 0; i--)
      from[i] = (i > 1 ? from[i - 2] : 0) + (i ? quadratics[k][1] * from[i - 1] : 0) +
                quadratics[k][0] * from[i];
  memcpy(c, from, sizeof c);
  fill(t, DEGREE + 1, 41, -1, 1);
  __enzyme_autodiff((void *)polish, c, d, enzyme_const, 2.2);
  double slope = horner(c, DEGREE, 2).slope;
  for (int i = 0; i <= DEGREE; i++) /* dx/dc = -x^i / p'(x) */
    CHECK_AT("root", i, d[i], -pow(2, i) / slope);
  CHECK_FORWARD("root", __enzyme_fwddiff((void *)polish, c, t, enzyme_const, 2.2), DEGREE + 1, t,
                d);

  for (int r = 0; r < 3; r++)
    starts[r] = roots[r] + 0.05;
  memset(d, 0, sizeof d);
  __enzyme_autodiff((void *)deflate, c, d, enzyme_const, starts, 3);
  for (int i = 0; i <= DEGREE; i++) {
    double expected = 0;
    for (int r = 0; r < 3; r++)
      expected -= 2 * roots[r] * pow(roots[r], i) / horner(c, DEGREE, roots[r]).slope;
    checkWithin("deflate", i, d[i], expected, 1e-7, 1e-7);
  }

  double s[9], ds[9] = {0}, x = 0.37;
  fill(s, 9, 42, -1, 1);
  double dx = __enzyme_autodiff((void *)clenshaw, s, ds, 9, x);
  CHECK_SLOPES("sample", 9, s, ds, clenshaw(s, 9, x));
  CHECK("x", dx, SLOPE(x, clenshaw(s, 9, x)));
  return finish();
}
