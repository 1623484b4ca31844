// Pointers that are integers for a while: tags, alignment, tagged pointers in records.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <stdint.h>

static double first(uintptr_t p) {
  double *x = (double *)(p & ~(uintptr_t)7);
  return x[0] * x[0];
}
double tagged(double *x) { return first((uintptr_t)x | 1) + first((uintptr_t)(x + 1) | 3); }

typedef struct {
  uintptr_t address;
  int index;
} Handle;
__attribute__((noinline)) void set(Handle *h, double *x, int tag) {
  h->address = (uintptr_t)x | tag;
  h->index = tag;
}
__attribute__((noinline)) double get(const Handle *h) {
  double *x = (double *)(h->address & ~(uintptr_t)7);
  return x[h->index] * x[0];
}
double handles(double *x) {
  Handle *h = malloc(sizeof *h);
  set(h, x, 1);
  double r = get(h);
  set(h, x + 1, 0);
  r += get(h) * x[2];
  free(h);
  return r;
}

double aligned(const double *x, int n) {
  char *raw = malloc(n * sizeof *x + 64);
  double *a = (double *)(((uintptr_t)raw + 63) & ~(uintptr_t)63), s = 0;
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += a[i] * a[n - 1 - i];
  free(raw);
  return s;
}

double chosen(double *x, int k) {
  uintptr_t a = (uintptr_t)x, b = (uintptr_t)(x + 2), c = k % 2 ? a : b;
  for (int i = 0; i < k; i++)
    c ^= i & 1;
  double *p = (double *)(c & ~(uintptr_t)1);
  return p[0] * p[0] * x[1];
}

// A function that is handed words, addresses and others, and stores them byte by byte.
__attribute__((noinline)) static void put(void *slot, uintptr_t word) { memcpy(slot, &word, sizeof word); }
__attribute__((noinline)) static void put_or_clear(void *slot, uintptr_t word, int n) {
  if (n > 0)
    put(slot, word);
  else
    memset(slot, 0, sizeof word);
}
double stored(double *x, int n) {
  double *p;
  put_or_clear(&p, (uintptr_t)(x + 1), n);
  return p[0] * p[1];
}
double table(double *x, int n) {
  double **p = malloc(n * sizeof *p), s = 0;
  for (int i = 0; i < n; i++)
    put(p + i, (uintptr_t)(x + i));
  for (int i = 0; i < n; i++)
    s += *p[i] * *p[i] * (i + 1);
  free(p);
  return s;
}
double numbers(double *x, int n) {
  long m[2];
  put(m, n);
  put(m + 1, n + 1);
  return x[0] * x[1] * m[0] * m[1];
}

int main(void) {
  double x[3] = {1.5, -2, 3}, d[3];
#define TEST(F, CALL, ...)                                                                         \
  memset(d, 0, sizeof d);                                                                          \
  __enzyme_autodiff((void *)F, enzyme_dup, x, d, ##__VA_ARGS__);                                    \
  CHECK_SLOPES(#F, 3, x, d, CALL)
  TEST(tagged, tagged(x));
  TEST(handles, handles(x));
  TEST(aligned, aligned(x, 3), 3);
  TEST(chosen, chosen(x, 2), 2);
  TEST(chosen, chosen(x, 3), 3);
  TEST(stored, stored(x, 1), 1);
  TEST(table, table(x, 3), 3);
  TEST(numbers, numbers(x, 3), 3);
  return finish();
}
