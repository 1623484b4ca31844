// A generic container that holds plain numbers: only its user knows what is copied.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  void *data;
  size_t count, capacity, size;
} Vector;

static Vector vectorOf(size_t size) { return (Vector){NULL, 0, 0, size}; }
static void *vectorAt(const Vector *v, size_t i) { return (char *)v->data + i * v->size; }
static void vectorPush(Vector *v, const void *item) {
  if (v->count == v->capacity) {
    v->capacity = v->capacity ? v->capacity * 2 : 2;
    void *bigger = malloc(v->capacity * v->size);
    if (v->data)
      memcpy(bigger, v->data, v->count * v->size);
    free(v->data);
    v->data = bigger;
  }
  memcpy(vectorAt(v, v->count++), item, v->size);
}
static void vectorReverse(Vector *v) {
  char item[64];
  for (size_t i = 0, j = v->count; i + 1 < j--; i++) {
    memcpy(item, vectorAt(v, i), v->size);
    memcpy(vectorAt(v, i), vectorAt(v, j), v->size);
    memcpy(vectorAt(v, j), item, v->size);
  }
}
static void vectorRemove(Vector *v, size_t i) {
  memmove(vectorAt(v, i), vectorAt(v, i + 1), (--v->count - i) * v->size);
}

/* Squares are pushed, turned round and thinned out. */
double alternating(const double *x, int n) {
  Vector v = vectorOf(sizeof(double));
  for (int i = 0; i < n; i++) {
    double item = x[i] * x[i];
    vectorPush(&v, &item);
  }
  vectorReverse(&v);
  vectorRemove(&v, 1);
  double sum = 0;
  for (size_t i = 0; i < v.count; i++)
    sum = *(double *)vectorAt(&v, i) - sum * 0.9;
  free(v.data);
  return sum;
}

enum { N = 9 };

int main(void) {
  double x[N], t[N], d[N] = {0};
  fill(x, N, 3, -1, 1);
  fill(t, N, 4, -1, 1);
  __enzyme_autodiff((void *)alternating, x, d, N);
  CHECK_SLOPES("alternating", N, x, d, alternating(x, N));
  CHECK_FORWARD("alternating", __enzyme_fwddiff((void *)alternating, x, t, N), N, t, d);
  return finish();
}
