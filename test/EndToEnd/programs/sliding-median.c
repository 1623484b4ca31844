// A sliding window kept sorted by memmove: robust smoothing, ranks by binary search.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

struct window {
  int count;
  double sorted[9];
};

static int place(const struct window *w, double x) {
  int low = 0, high = w->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (w->sorted[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
static void insert(struct window *w, double x) {
  int at = place(w, x);
  memmove(&w->sorted[at + 1], &w->sorted[at], (w->count - at) * sizeof x);
  w->sorted[at] = x;
  w->count++;
}
static void take(struct window *w, double x) {
  int at = place(w, x);
  w->count--;
  memmove(w->sorted + at, w->sorted + at + 1, (w->count - at) * sizeof x);
}
static double middleOf(const struct window *w) {
  return w->count % 2 ? w->sorted[w->count / 2]
                      : 0.5 * (w->sorted[w->count / 2 - 1] + w->sorted[w->count / 2]);
}

/* out[i] = the median of at most 2 * half + 1 values around i, less a trimmed mean. */
void smooth(const double *in, double *out, int n, int half) {
  struct window w = {0};
  for (int i = 0; i < half && i < n; i++)
    insert(&w, in[i]);
  for (int i = 0; i < n; i++) {
    if (i + half < n)
      insert(&w, in[i + half]);
    if (i - half - 1 >= 0)
      take(&w, in[i - half - 1]);
    double mean = 0;
    for (int k = 1; k < w.count - 1; k++)
      mean += w.sorted[k] * w.sorted[k];
    out[i] = middleOf(&w) * in[i] - 0.3 * mean;
  }
}

enum { N = 15 };
static double weighted(const double *x, const double *u, int half) {
  double y[N];
  smooth(x, y, N, half);
  return innerProduct(u, y, N);
}

int main(void) {
  double x[N], t[N], u[N], y[N], du[N], ty[N];
  fill(x, N, 14, -1, 1);
  fill(t, N, 15, -1, 1);
  fill(u, N, 16, -1, 1);
  for (int half = 1; half <= 3; half++) {
    double d[N] = {0};
    memcpy(du, u, sizeof u);
    __enzyme_autodiff((void *)smooth, x, d, y, du, N, half);
    CHECK_SLOPES_WITHIN(1e-4, "x", N, x, d, weighted(x, u, half));
    __enzyme_fwddiff((void *)smooth, x, t, y, ty, N, half);
    CHECK_FORWARD("smooth", innerProduct(u, ty, N), N, t, d);
  }
  return finish();
}
