// Loop nests: triangular, steps, zero trips, breaks, several exits, continue, do-while.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 7 };
typedef double Function(const double *, int);

double triangular(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double p = x[i] * x[j];
      for (int k = j; k < i; k += 2)
        p *= sin(x[k]);
      sum += p;
    }
  return sum;
}
double breaks(const double *x, int n) {
  double p = 1;
  for (int i = 0; i < n; i++) {
    p *= 1 + x[i] * x[i];
    if (p > 3)
      break;
    p += sin(p);
  }
  return p;
}
double exits(const double *x, int n) {
  double p = 0.5;
  for (int i = 0; i < n; i++) {
    for (int j = n; j > i; j--) {
      if (x[j - 1] < -0.9)
        continue;
      p = p * cos(x[j - 1]) + x[i];
      if (p > 4)
        return p * p;
      if (p < -1.5)
        goto out;
    }
    if (p > 2.5)
      break;
    p *= 1.25;
  }
  p = p * 2;
out:
  return exp(p / 3);
}
double doWhile(const double *x, int n) {
  double p = x[0];
  int i = 0;
  do {
    p = p * x[i] + exp(-p);
    i += 3;
  } while (i < n && p < 50);
  return p;
}
double zeroTrips(const double *x, int n) {
  double p = x[0] * x[1];
  for (int i = n; i < 3; i++) // not once, for n > 2
    p *= x[i];
  for (int i = 0; i < n; i++)
    for (int j = 5; j < i; j++) // mostly not at all
      p *= x[j] * x[i];
  return p;
}
double downwards(const double *x, int n) {
  double p = 1;
  for (unsigned i = n; i-- > 0;)
    p = sqrt(p * p + x[i] * x[i]);
  for (long i = n - 1; i >= 0; i -= 2)
    p += x[i] * p * p / 10;
  return p;
}

#define TEST(F, COUNT) CHECK_FUNCTION(F, N, x, t, COUNT)

int main(void) {
  double t[N], x[N];
  fill(t, N, 3, -1, 1);
  for (int seed = 1; seed < 5; seed++) {
    fill(x, N, seed, -1.2, 1.2);
    TEST(triangular, N);
    TEST(triangular, 1);
    TEST(triangular, 0);
    TEST(breaks, N);
    TEST(breaks, 2);
    TEST(exits, N);
    TEST(exits, 0);
    TEST(doWhile, N);
    TEST(doWhile, 1);
    TEST(zeroTrips, N);
    TEST(zeroTrips, 2);
    TEST(downwards, N);
    TEST(downwards, 0);
  }
  return finish();
}
