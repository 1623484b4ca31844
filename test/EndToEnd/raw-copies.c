// Functions that only move bytes: what the bytes are is known from whoever asks for the derivative,
// from hints, or from debug information.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-g --flag=-DUNTYPED --keep plan %s
#include "check.h"

void __enzyme_autodiff_v(void *, ...);
void __enzyme_fwddiff_v(void *, ...);
void __enzyme_double_at(void *, ...);

void copy(double *a, const double *b, int n) { memcpy(a, b, n * sizeof *a); }
void zero(double *a, int n) { memset(a, 0, n * sizeof *a); }
void swap(double *a, double *b) {
  double t = *a;
  *a = *b;
  *b = t;
}
void shift(double *a, int n) { memmove(a + 1, a, (n - 1) * sizeof *a); }

typedef struct {
  double v[3];
  int n;
  double *more;
} Record;
void copyRecord(Record *a, const Record *b) { *a = *b; }

typedef struct {
  int n;
  double data[];
} Flexible;
double squares(const Flexible *f) {
  double s = 0;
  for (int i = 0; i < f->n; i++)
    s += f->data[i] * f->data[i];
  return s;
}

void hinted(void *a, const void *b, int n) {
  __enzyme_double_at(a, -1);
  memcpy(a, b, n);
}
double hintWithoutDerivative(double *x) {
  __enzyme_double_at(x, 8);
  return *x;
}

static double globalA[3], globalB[3];

int main(void) {
  double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, da[3] = {1, 10, 100}, db[3] = {0};
  __enzyme_autodiff_v((void *)copy, enzyme_dup, a, da, enzyme_dup, b, db, 3);
  CHECK("copy", a[1], 5);
  CHECK("copy da", da[1], 0);
  CHECK("copy db", db[2], 100);
  double *heap = malloc(24), *dheap = malloc(24);
  for (int i = 0; i < 3; i++)
    heap[i] = dheap[i] = i + 1;
  __enzyme_autodiff_v((void *)zero, enzyme_dup, heap, dheap, 3);
  CHECK("zero", heap[1], 0);
  CHECK("zero d", dheap[1], 0);
  da[0] = 1, db[0] = 5;
  __enzyme_autodiff_v((void *)swap, enzyme_dup, a, da, enzyme_dup, b, db);
  CHECK("swap", da[0], 5);
  CHECK("swap", db[0], 1);
  for (int i = 0; i < 3; i++)
    globalB[i] = i + 1;
  __enzyme_autodiff_v((void *)shift, enzyme_dup, globalA, globalB, 3);
  CHECK("shift 0", globalB[0], 3);
  CHECK("shift 1", globalB[1], 3);
  CHECK("shift 2", globalB[2], 0);
  __enzyme_fwddiff_v((void *)shift, enzyme_dup, globalA, globalB, 3);
  CHECK("shift tangent", globalB[2], 3);
  Record r = {{1, 2, 3}, 1, 0}, s = r, dr = {{1, 2, 3}, 0, 0}, ds = {{0}, 0, 0};
  __enzyme_autodiff_v((void *)copyRecord, enzyme_dup, &r, &dr, enzyme_dup, &s, &ds);
  CHECK("record", ds.v[2], 3);
  CHECK("record", dr.v[2], 0);

  size_t bytes = sizeof(Flexible) + 3 * sizeof(double);
  Flexible *f = malloc(bytes), *df = calloc(1, bytes);
  f->n = df->n = 3;
  for (int i = 0; i < 3; i++)
    f->data[i] = i + 1;
  __enzyme_autodiff((void *)squares, enzyme_dup, f, df);
  CHECK("flexible", df->data[2], 6);

  char *raw = malloc(24), *from = malloc(24);
  double *draw = malloc(24), *dfrom = calloc(1, 24);
  memset(from, 0, 24);
  for (int i = 0; i < 3; i++)
    draw[i] = i + 1;
  __enzyme_autodiff_v((void *)hinted, enzyme_dup, raw, draw, enzyme_dup, from, dfrom, 24);
  CHECK("hinted", dfrom[2], 3);
  CHECK("hint alone", hintWithoutDerivative(heap), 0);
#ifdef UNTYPED // Nothing but the declaration of copy's parameters tells.
  void *p = malloc(24), *q = calloc(3, 8), *dp = calloc(3, 8), *dq = calloc(3, 8);
  memcpy(dp, draw, 24);
  __enzyme_autodiff_v((void *)copy, enzyme_dup, p, dp, enzyme_dup, q, dq, 3);
  double got;
  memcpy(&got, (char *)dq + 8, 8);
  CHECK("declared", got, draw[1]);
  free(p), free(q), free(dp), free(dq);
#endif
  free(raw), free(from), free(draw), free(dfrom), free(f), free(df);
  free(heap), free(dheap);
  return finish();
}
