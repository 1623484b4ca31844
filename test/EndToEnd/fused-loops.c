// Loops whose iterations are independent but for sums run in the reverse sweep only; loops that
// look like them, but are not, do not.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 6, D = 4 };

// A mixture of Gaussians in small: scratch memory in a triangle, the result by a pointer that
// may lead anywhere, and sizes of which each may be zero.
static void mixture(const double *x, int n, int k, int d, double *result) {
  double *centered = malloc((d + 1) * sizeof(double)), *scaled = malloc((d + 1) * sizeof(double)),
         *terms = malloc((k + 1) * sizeof(double));
  double total = 0, weight = 0;
  for (int p = 0; p < n; p++) {
    for (int j = 0; j < k; j++) {
      for (int i = 0; i < d; i++)
        centered[i] = x[i] - 0.3 * (p + 1) * x[(i + j) % N];
      for (int i = 0; i < d; i++)
        scaled[i] = exp(0.1 * x[i]) * centered[i];
      for (int column = 0; column < d; column++)
        for (int row = column + 1; row < d; row++)
          scaled[row] += x[(row + column) % N] * centered[column];
      double square = 0;
      for (int i = 0; i < d; i++)
        square += scaled[i] * scaled[i];
      terms[j] = x[j % N] - 0.5 * square;
    }
    if (k > 0) {
      double largest = terms[0], sum = 0;
      for (int j = 1; j < k; j++)
        if (terms[j] > largest)
          largest = terms[j];
      for (int j = 0; j < k; j++)
        sum += exp(terms[j] - largest);
      total += log(sum) + largest;
    }
  }
  for (int i = 0; i < N; i++)
    weight += exp(x[i]);
  *result = 2 * total - n * log(weight) + 0.1 * x[0];
  free(centered);
  free(scaled);
  free(terms);
}
static double mixtureValue(const double *x, int n, int k, int d) {
  double result;
  mixture(x, n, k, d, &result);
  return result;
}

static double plain(const double *x, int n) {
  double sum = 1;
  for (int i = 0; i < n; i++)
    sum += exp(x[i]) * sin(x[i]);
  return sum;
}
// The number of iterations is read anew before each, since exp() might have changed it.
struct Sizes {
  const double *weights;
  int count;
};
double weights[N] = {0.5, -1, 2, 0.25, 3, -0.75};
struct Sizes sizes = {weights, N};
static double reread(const double *x, int n) {
  double sum = 0;
  int last = -1;
  for (int i = 0; i < sizes.count; i++) {
    sum += sizes.weights[i] * exp(x[i]);
    last = i;
  }
  return sum * (n + last);
}
// Two sums, one of them in an inner loop and at times; a count without derivative.
static double conditional(const double *x, int n) {
  double sum = 0, other = 0;
  int hits = 0;
  for (int i = 0; i < n; i++) {
    double e = exp(x[i]);
    if (x[i] > 0.4) {
      hits++;
      for (int j = 0; j < hits; j++)
        sum -= e * cos(j * x[i]);
    }
    other += e * e * hits;
  }
  return sum + 0.5 * other;
}
// The number of iterations is known afterwards only.
static double until(const double *x, int n) {
  double sum = 0;
  int i = 0;
  do {
    sum += exp(x[i % n]) * sin(x[i % n] * i);
    i++;
  } while (fabs(sin(3.0 * i)) < 0.95);
  return sum;
}

// Not independent: what one iteration computes, another reads, in various ways.
static double carried(const double *x, int n) {
  double y = 1, sum = 0;
  for (int i = 0; i < n; i++) {
    y = 0.5 * exp(0.3 * y) + x[i];
    sum += sin(y);
  }
  return sum;
}
static double together(const double *x, int n) {
  double a = 0, b = 0;
  for (int i = 0; i < n; i++) {
    a += exp(x[i]);
    b += a * exp(-x[i]);
  }
  return b;
}
static double stale(const double *x, int n) {
  double t[N], sum = 0;
  for (int j = 0; j < N; j++)
    t[j] = x[j];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < N - 1; j++)
      t[j] = sin(0.2 * exp(x[(i + j) % n]) * t[j + 1]);
    for (int j = 0; j < N; j++)
      sum += t[j] * t[j];
    if (x[i] > 0.5)
      t[N - 1] = sin(sum);
  }
  return sum;
}
static double lastOne(const double *x, int n) {
  double last = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    last = exp(x[i]);
    sum += last * last;
  }
  return sum * last;
}
static double inPlace(const double *x, int n) {
  double t[N] = {0}, sum = 0;
  for (int i = 0; i < n; i++) {
    t[i] = exp(x[i]) + (i ? t[i - 1] : 0);
    sum += t[i] * t[i];
  }
  return sum;
}
static double logOfSum(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += exp(x[i]);
  return log(sum);
}
static double sumTwice(const double *x, int n) {
  double sum = 0, mean = 0;
  for (int i = 0; i < n; i++)
    mean += exp(x[i]);
  for (int i = 0; i < n; i++)
    sum += exp(x[i] * mean / n);
  return sum;
}
static void rows(const double *x, double *out, int n) {
  for (int i = 0; i < n; i++)
    out[i % 2] = exp(x[i]) * x[n - 1 - i];
}
static double overwritten(const double *x, int n) {
  double out[2];
  rows(x, out, n);
  return out[0] * out[1];
}

double __enzyme_autodiff_valued(void *, ...);

static double directional(const double *x, const double *t) {
  double dx[N] = {0}, sum = 0;
  __enzyme_autodiff((void *)plain, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i++)
    sum += t[i] * dx[i];
  return sum;
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double dx[N] = {0};                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_const, N);                              \
    for (int i = 0; i < N; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE_WITHIN(1e-3, x[i], F(x, N)));                                   \
  } while (0)

int main() {
  double x[N] = {0.3, 0.9, -0.4, 0.7, 0.55, -0.2};
  TEST(plain);
  for (sizes.count = 0; sizes.count <= N; sizes.count++)
    TEST(reread);
  TEST(conditional);
  TEST(until);
  TEST(carried);
  TEST(together);
  TEST(stale);
  TEST(lastOne);
  TEST(inPlace);
  TEST(logOfSum);
  TEST(sumTwice);
  TEST(overwritten);

  for (int n = 0; n < 4; n += 3)
    for (int k = 0; k < 4; k++)
      for (int d = 0; d <= D; d += 2) {
        double result = -1, seed = 1, dx[N] = {0};
        __enzyme_autodiff((void *)mixture, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, k,
                          enzyme_const, d, enzyme_dup, &result, &seed);
        CHECK("mixture's value", result, mixtureValue(x, n, k, d));
        CHECK("mixture's seed", seed, 0);
        for (int i = 0; i < N; i++)
          CHECK_AT("mixture", i, dx[i], SLOPE_WITHIN(1e-3, x[i], mixtureValue(x, n, k, d)));
      }

  // The derivative of the gradient.
  double t[N] = {1, -1, 0.5, 2, 0, 1}, along = 0, dx[N] = {0};
  for (int i = 0; i < N; i++)
    along += t[i] * t[i] * exp(x[i]) * 2 * cos(x[i]);
  CHECK("hessian", __enzyme_fwddiff((void *)directional, enzyme_dup, x, t, enzyme_const, t), along);

  // The gradient and the value.
  CHECK("value",
        __enzyme_autodiff_valued((void *)plain, enzyme_primal_return, enzyme_dup, x, dx,
                                 enzyme_const, N),
        plain(x, N));

  // Two directions at once.
  double seeds[2] = {1, 1}, result, two[2][N] = {{0}};
  seeds[1] = -3;
  __enzyme_autodiff((void *)mixture, enzyme_width, 2, enzyme_dup, x, two[0], two[1], enzyme_const,
                    3, enzyme_const, 3, enzyme_const, D, enzyme_dup, &result, &seeds[0], &seeds[1]);
  for (int i = 0; i < N; i++)
    CHECK_AT("two at once", i, two[1][i], -3 * two[0][i]);
  return finish();
}
