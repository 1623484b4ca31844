// Results that are stored in memory in the end: pointers that may alias the inputs, and some that
// do.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 5 };

static __attribute__((noinline)) double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i];
  return sum;
}

// The function gamma writes a variable of the library.
static __attribute__((noinline)) double prior(double a) { return lgamma(a) + lgamma(a + 1); }

static void result(const double *x, int n, double *out) {
  double sum = norm(x, n);
  for (int i = 0; i < n; i++)
    sum += sin(x[i]) * x[i];
  *out = sum * x[0] - prior(2.5);
}

// The second store may hit what the first has written.
static void results(const double *x, int n, double *a, double *b) {
  double s = norm(x, n), t = 1;
  for (int i = 0; i < n; i++)
    t *= 1 + x[i] * x[i];
  *a = s * t;
  *b = s - t;
}

// What was stored is read again, here and in a function.
static double reread(const double *x, int n, double *out) {
  *out = norm(x, n);
  double s = norm(x, n);
  return s * *out;
}

// The memory is released after it was stored to.
static double released(const double *x, int n) {
  double *block = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++)
    block[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    sum += block[i] * block[i] * x[i];
  block[0] = sum;
  free(block);
  return sum;
}

// A block of its own, in a function with two halves.
static __attribute__((noinline)) double scratch(const double *x, int n) {
  double *block = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++)
    block[i] = exp(x[i]);
  for (int i = 0; i < n; i++)
    sum += block[i] * block[n - 1 - i];
  free(block);
  return sum;
}
static void through(double *x, int n, double *out) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += scratch(x, n) * x[i];
  x[0] = s;
  *out = s * s;
}

static void gradient(const double *x, double *dx, double *out, double *dout) {
  __enzyme_autodiff((void *)result, x, dx, N, out, dout);
}

int main(void) {
  double x[N], dx[N] = {0}, out = 0, dout = 1;
  fill(x, N, 1, 0.2, 1.2);
  __enzyme_autodiff((void *)result, x, dx, N, &out, &dout);
  show("result", out, 1e-9);
  CHECK_SLOPES("result", N, x, dx, (result(x, N, &out), out));

  // The result lies in the input: weights of all that is there in the end.
  double y[N], w[N], dy[N];
  fill(w, N, 2, -1, 1);
  for (int at = 0; at < N; at++) {
    memcpy(y, x, sizeof x);
    memcpy(dy, w, sizeof w);
    __enzyme_autodiff((void *)result, y, dy, N, y + at, dy + at);
    show("in place", y[at], 1e-9);
    CHECK_SLOPES("in place", N, x, dy,
                 (memcpy(y, x, sizeof x), result(y, N, y + at), innerProduct(y, w, N)));
  }

  // Both results at one place: the second counts.
  memcpy(y, x, sizeof x);
  memcpy(dy, w, sizeof w);
  __enzyme_autodiff((void *)results, y, dy, N, y + 1, dy + 1, y + 1, dy + 1);
  show("one place", y[1], 1e-9);
  CHECK_SLOPES("one place", N, x, dy,
               (memcpy(y, x, sizeof x), results(y, N, y + 1, y + 1), innerProduct(y, w, N)));

  memcpy(y, x, sizeof x);
  memcpy(dy, w, sizeof w);
  __enzyme_autodiff((void *)reread, y, dy, N, y + 2, dy + 2);
  show("reread", y[2], 1e-9);
  CHECK_SLOPES("reread", N, x, dy,
               (memcpy(y, x, sizeof x), reread(y, N, y + 2) + innerProduct(y, w, N)));

  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)released, x, dx, N);
  CHECK_SLOPES("released", N, x, dx, released(x, N));

  memcpy(y, x, sizeof x);
  memcpy(dy, w, sizeof w);
  __enzyme_autodiff((void *)through, y, dy, N, y + 3, dy + 3);
  show("through", y[3], 1e-9);
  CHECK_SLOPES("through", N, x, dy,
               (memcpy(y, x, sizeof x), through(y, N, y + 3), innerProduct(y, w, N)));

  // Second derivatives: of the gradient along w.
  double tangent[N] = {0}, tout = 0, tdout = 0;
  memset(dx, 0, sizeof dx);
  __enzyme_fwddiff((void *)gradient, x, w, dx, tangent, &out, &tout, (dout = 1, &dout), &tdout);
  for (int i = 0; i < N; i++) {
    double h = 0;
    CHECK_AT("second", i, tangent[i], SLOPE(h, ({
                                              for (int k = 0; k < N; k++)
                                                y[k] = x[k] + h * w[k];
                                              memset(dy, 0, sizeof dy);
                                              dout = 1;
                                              gradient(y, dy, &out, &dout);
                                              dy[i];
                                            })));
  }
  return finish();
}
