// Shadows that may overlap do: one for two arguments that are only read, `restrict` or not, adds up
// both gradients; what is read through one `restrict` pointer is part of what another leads to.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %clang -O2 -mllvm -isozyme-fuse=0 %s -lm -o %t.unfused && %t.unfused
// RUN: %clang -O2 -mllvm -isozyme-apart=0 %s -lm -o %t.any && %t.any
#include "check.h"
enum { N = 37 };

// da and db may be one: a and b are only read.
static void products(const double *restrict a, const double *restrict b, double *restrict c, int n) {
  for (int i = 0; i < n; i++)
    c[i] += a[i] * b[n - 1 - i];
}

// The second half of c is only read, and is what a leads to.
static void halves(const double *restrict a, double *restrict c, int n) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] * c[n + i] + a[n - 1 - i];
}

// No promise: each call may move along one array.
static void running(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] += 0.5 * from[i] * from[i];
}

// Memory of the function itself, of which one part was stored for others to find.
static double found(const double *x, int n) {
  double own[N], shown[N];
  double *volatile place = shown;
  for (int i = 0; i < n; i++) {
    own[i] = x[i] * x[i];
    shown[i] = own[i] * x[n - 1 - i];
  }
  double *again = place, sum = 0;
  for (int i = 0; i < n; i++) {
    again[i] *= own[n - 1 - i];
    sum += shown[i] * again[n - 1 - i];
  }
  return sum;
}

static void testProducts(void) {
  double a[N], b[N], c[N] = {0}, both[N] = {0}, dc[N];
  for (int i = 0; i < N; i++)
    a[i] = 1 + 0.1 * i, b[i] = 2 - 0.05 * i, dc[i] = 1 + i;
  __enzyme_autodiff((void *)products, enzyme_dup, a, both, enzyme_dup, b, both, enzyme_dup, c, dc,
                    enzyme_const, N);
  for (int i = 0; i < N; i++)
    CHECK_AT("both", i, both[i], (1 + i) * b[N - 1 - i] + (N - i) * a[N - 1 - i]);
}

static void testHalves(void) {
  double c[2 * N] = {0}, dc[2 * N] = {0};
  for (int i = 0; i < N; i++)
    c[N + i] = 1 + 0.1 * i, dc[i] = 1 + i;
  __enzyme_autodiff((void *)halves, enzyme_dup, c + N, dc + N, enzyme_dup, c, dc, enzyme_const, N);
  for (int i = 0; i < N; i++)
    CHECK_AT("dc", i, dc[N + i], (1 + i) * 2 * c[N + i] + (N - i));
}

static void testRunning(void) {
  double u[N + 1], du[N + 1] = {0}, expected[N + 1] = {0}, before[N + 1];
  for (int i = 0; i <= N; i++)
    before[i] = u[i] = 0.1 + 0.01 * i, du[i] = expected[i] = 1 + 0.5 * i;
  // u[i + 1] += u[i]^2 / 2, one after the other.
  for (int i = 0; i < N; i++)
    before[i + 1] += 0.5 * before[i] * before[i];
  for (int i = N - 1; i >= 0; i--)
    expected[i] += before[i] * expected[i + 1];
  __enzyme_autodiff((void *)running, enzyme_dup, u + 1, du + 1, enzyme_dup, u, du, enzyme_const, N);
  for (int i = 0; i <= N; i++)
    CHECK_AT("du", i, du[i], expected[i]);
}

static void testFound(void) {
  double x[N], dx[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.9 + 0.005 * i;
  __enzyme_autodiff((void *)found, enzyme_dup, x, dx, enzyme_const, N);
  for (int i = 0; i < N; i += 9) {
    double at = x[i];
    x[i] = at + 1e-5;
    double above = found(x, N);
    x[i] = at - 1e-5;
    double below = found(x, N);
    x[i] = at;
    CHECK_AT("dx", i, dx[i], (above - below) / 2e-5);
  }
}

int main(void) {
  testProducts();
  testHalves();
  testRunning();
  testFound();
  return finish();
}
