// The largest eigenvalue by power iteration, deflation for the second, with an operator callback.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef void (*Apply)(const void *context, const double *x, double *y, int n);

struct dense {
  const double *entries;
};
struct deflated {
  struct dense base;
  double value;
  const double *vector;
};

static void applyDense(const void *context, const double *x, double *y, int n) {
  const struct dense *m = context;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += 0.5 * (m->entries[i * n + j] + m->entries[j * n + i]) * x[j];
  }
}
static void applyDeflated(const void *context, const double *x, double *y, int n) {
  const struct deflated *m = context;
  double along = 0;
  applyDense(&m->base, x, y, n);
  for (int i = 0; i < n; i++)
    along += m->vector[i] * x[i];
  for (int i = 0; i < n; i++)
    y[i] -= m->value * along * m->vector[i];
}
static double largest(Apply apply, const void *context, double *x, int n) {
  double *y = malloc(n * sizeof *y), value = 0, before;
  int rounds = 0;
  for (int i = 0; i < n; i++)
    x[i] = 1.0 / (i + 1);
  do {
    before = value;
    apply(context, x, y, n);
    double norm = 0, along = 0;
    for (int i = 0; i < n; i++) {
      norm += y[i] * y[i];
      along += x[i] * y[i];
    }
    value = along;
    norm = sqrt(norm);
    for (int i = 0; i < n; i++)
      x[i] = y[i] / norm;
  } while (fabs(value - before) > 1e-15 * fabs(value) && ++rounds < 400);
  free(y);
  return value;
}

/* first + 2 * second eigenvalue of the symmetric part */
double spectrum(const double *a, int n) {
  double v[n], w[n];
  struct dense m = {a};
  double first = largest(applyDense, &m, v, n);
  struct deflated rest = {m, first, v};
  double second = largest(applyDeflated, &rest, w, n);
  return first + 2 * second;
}

enum { N = 4 };

int main(void) {
  double a[N * N], t[N * N], d[N * N] = {0};
  fill(a, N * N, 35, -0.4, 0.4);
  fill(t, N * N, 36, -1, 1);
  for (int i = 0; i < N; i++)
    a[i * N + i] += 12 >> 2 * i; /* well separated */
  __enzyme_autodiff((void *)spectrum, a, d, N);
  CHECK_SLOPES_WITHIN(1e-3, "a", N * N, a, d, spectrum(a, N));
  double trace = 0;
  for (int i = 0; i < N; i++)
    trace += d[i * N + i];
  CHECK("shift", trace, 3); /* eigenvalues move with a multiple of the identity */
  CHECK_FORWARD("spectrum", __enzyme_fwddiff((void *)spectrum, a, t, N), N * N, t, d);
  return finish();
}
