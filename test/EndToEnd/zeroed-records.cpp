// Structures that begin as zeros: optimisers clear an integer and a float, or a float and bytes that nobody reads, by
// one store.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

struct Record {
  double k;
  int n;
  float f;
  int m;
  float g[3];
};

__attribute__((noinline)) void fill(Record &s, double x, int i) {
  if (i % 2)
    s.f = x;
  else
    s.g[i % 3] = x * x;
  s.n += i;
}

double records(double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    Record s = {};
    fill(s, x, i);
    fill(s, 2 * x, i + 1);
    s.k += x;
    sum += s.f * s.f + s.g[1] * s.k + s.g[0] + s.n + s.m;
    if (i == 1)
      s.f = 0;
    sum += s.f;
  }
  return sum;
}

struct Padded {
  double k;
  int power;
  float weights[2];
  bool on;
};

__attribute__((always_inline)) inline double weighted(const double *x, const Padded &s, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += s.k * pow(x[i], s.power) * s.weights[i % 2];
  return s.on ? sum : 0;
}

double padded(const double *x, const float *w, double k, int n) {
  Padded s = {};
  s.k = k;
  s.power = n;
  memcpy(s.weights, w, sizeof s.weights);
  s.on = n > 0;
  return weighted(x, s, n);
}

int main() {
  double x = 1.5;
  const double slope = SLOPE(x, records(x, 7));
  checkWithin("records", -1, __enzyme_autodiff<double>((void *)records, x, 7), slope, 1e-4, 1e-6);
  checkWithin("records forward", -1, TANGENT_OF((void *)records, x, 1.0, 7), slope, 1e-4, 1e-6);
  double y[3] = {0.5, 1.5, -0.7}, dy[3] = {};
  float w[2] = {3, 4}, dw[2] = {};
  GRADIENT_OF((void *)padded, enzyme_dup, y, dy, enzyme_dup, w, dw, enzyme_const, 2.0, 3);
  CHECK_SLOPES("padded by x", 3, y, dy, padded(y, w, 2, 3));
  CHECK_FLOAT("padded by weight 1", dw[1], 2 * pow(y[1], 3));
  return finish();
}
