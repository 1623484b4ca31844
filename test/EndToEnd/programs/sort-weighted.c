// Insertion sort and quicksort of differentiated numbers, then sums weighted by rank.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

static void insertionSort(double *a, int n) {
  for (int i = 1; i < n; i++) {
    double key = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
}
static void swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}
static double *partition(double *first, double *last) {
  double *middle = first + (last - first) / 2;
  if (*middle < *first)
    swap(middle, first);
  if (*last < *first)
    swap(last, first);
  if (*last < *middle)
    swap(last, middle);
  swap(middle, last);
  double *store = first;
  for (double *p = first; p < last; p++)
    if (*p < *last)
      swap(p, store++);
  swap(store, last);
  return store;
}
static void quickSort(double *first, double *last) {
  while (last - first > 4) {
    double *pivot = partition(first, last);
    quickSort(first, pivot - 1);
    first = pivot + 1;
  }
  insertionSort(first, (int)(last - first) + 1);
}

typedef void Sorter(double *, int);
static void quick(double *a, int n) { quickSort(a, a + n - 1); }

/* An L-estimate of scale: sorted values, weighted. */
static double ranked(Sorter *sort, const double *x, const double *w, int n) {
  double *copy = malloc(n * sizeof *copy), sum = 0;
  for (int i = 0; i < n; i++)
    copy[i] = x[i] * x[i] + x[i];
  sort(copy, n);
  for (int i = 0; i < n; i++)
    sum += w[i] * copy[i] * (i ? copy[i - 1] : 1);
  free(copy);
  return sum;
}
double byInsertion(const double *x, const double *w, int n) {
  return ranked(insertionSort, x, w, n);
}
double byQuick(const double *x, const double *w, int n) { return ranked(quick, x, w, n); }

double median(double *x, int n) {
  quickSort(x, x + n - 1);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

enum { N = 18 };

int main(void) {
  double x[N], w[N], t[2 * N], d[2 * N] = {0}, e[2 * N] = {0};
  fill(x, N, 51, 0, 4);
  fill(w, N, 52, -1, 1);
  fill(t, 2 * N, 53, -1, 1);
  __enzyme_autodiff((void *)byInsertion, x, d, w, d + N, N);
  __enzyme_autodiff((void *)byQuick, x, e, w, e + N, N);
  CHECK_SLOPES_WITHIN(1e-3, "x", N, x, d, byInsertion(x, w, N));
  CHECK_SLOPES_WITHIN(1e-3, "w", N, w, d + N, byInsertion(x, w, N));
  for (int i = 0; i < 2 * N; i++)
    CHECK_AT("quick", i, e[i], d[i]);
  CHECK_FORWARD("insertion", __enzyme_fwddiff((void *)byInsertion, x, t, w, t + N, N), 2 * N, t, d);
  CHECK_FORWARD("quick", __enzyme_fwddiff((void *)byQuick, x, t, w, t + N, N), 2 * N, t, d);

  double copy[N], m[N] = {0}, total = 0;
  memcpy(copy, x, sizeof x);
  __enzyme_autodiff((void *)median, copy, m, N);
  for (int i = 0; i < N; i++) {
    CHECK_AT("median", i, m[i], m[i] == 0.5 ? 0.5 : 0);
    total += m[i];
  }
  CHECK("median total", total, 1);
  return finish();
}
