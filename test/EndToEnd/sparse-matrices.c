// Sparse matrices as CSparse keeps them: records and arrays from the program's own wrappers of calloc, malloc, realloc
// and free, which also release what is left over at the end of each function.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/run-matrix.py --levels=-O0,-O2 --keep plan --flag=-fno-strict-aliasing --plugin %plugin \
// RUN:   --clang %clang_bin %s
#include "check.h"

typedef long word;
typedef struct {
  word room, rows, columns, *start, *row;
  double *value;
  word entries; // -1: by columns.
} matrix;

static void *get(word n, size_t size) { return malloc((n > 1 ? n : 1) * size); }
static void *cleared(word n, size_t size) { return calloc(n > 1 ? n : 1, size); }
static void *drop(void *p) {
  if (p)
    free(p);
  return NULL;
}
static void *resized(void *p, word n, size_t size, word *ok) {
  void *new = realloc(p, (n > 1 ? n : 1) * size);
  *ok = new != NULL;
  return *ok ? new : p;
}

static matrix *drop_matrix(matrix *a) {
  if (!a)
    return NULL;
  drop(a->start);
  drop(a->row);
  drop(a->value);
  return (matrix *)drop(a);
}
static __attribute__((noinline)) matrix *new_matrix(word rows, word columns, word room, word values,
                                                    word triplets) {
  matrix *a = cleared(1, sizeof(matrix));
  if (!a)
    return NULL;
  a->rows = rows;
  a->columns = columns;
  a->room = room = room > 1 ? room : 1;
  a->entries = triplets ? 0 : -1;
  a->start = get(triplets ? room : columns + 1, sizeof(word));
  a->row = get(room, sizeof(word));
  a->value = values ? get(room, sizeof(double)) : NULL;
  return !a->start || !a->row || (values && !a->value) ? drop_matrix(a) : a;
}
static __attribute__((noinline)) word grow(matrix *a, word room) {
  word ok_row, ok_start = 1, ok_value = 1;
  if (room <= 0)
    room = a->entries == -1 ? a->start[a->columns] : a->entries;
  a->row = resized(a->row, room, sizeof(word), &ok_row);
  if (a->entries >= 0)
    a->start = resized(a->start, room, sizeof(word), &ok_start);
  if (a->value)
    a->value = resized(a->value, room, sizeof(double), &ok_value);
  word ok = ok_row && ok_start && ok_value;
  if (ok)
    a->room = room;
  return ok;
}
static word enter(matrix *a, word i, word j, double x) {
  if (a->entries >= a->room && !grow(a, 2 * a->room))
    return 0;
  if (a->value)
    a->value[a->entries] = x;
  a->row[a->entries] = i;
  a->start[a->entries++] = j;
  a->rows = a->rows > i + 1 ? a->rows : i + 1;
  a->columns = a->columns > j + 1 ? a->columns : j + 1;
  return 1;
}
static matrix *complete(matrix *a, void *work, void *more, word ok) {
  drop(work);
  drop(more);
  return ok ? a : drop_matrix(a);
}
static double add_up(word *start, word *count, word n) {
  word all = 0;
  double sum = 0;
  for (word i = 0; i < n; i++) {
    start[i] = all;
    all += count[i];
    sum += count[i];
    count[i] = start[i];
  }
  start[n] = all;
  return sum;
}
static matrix *compress(const matrix *t) {
  word *to, at;
  matrix *c = new_matrix(t->rows, t->columns, t->entries, t->value != NULL, 0);
  to = cleared(t->columns, sizeof(word));
  if (!c || !to)
    return complete(c, to, NULL, 0);
  for (word k = 0; k < t->entries; k++)
    to[t->start[k]]++;
  add_up(c->start, to, t->columns);
  for (word k = 0; k < t->entries; k++) {
    c->row[at = to[t->start[k]]++] = t->row[k];
    if (c->value)
      c->value[at] = t->value[k];
  }
  return complete(c, to, NULL, 1);
}
static matrix *transpose(const matrix *a, word values) {
  word *to, at;
  matrix *c = new_matrix(a->columns, a->rows, a->start[a->columns], values && a->value, 0);
  to = cleared(a->rows, sizeof(word));
  if (!c || !to)
    return complete(c, to, NULL, 0);
  for (word k = 0; k < a->start[a->columns]; k++)
    to[a->row[k]]++;
  add_up(c->start, to, a->rows);
  for (word j = 0; j < a->columns; j++)
    for (word k = a->start[j]; k < a->start[j + 1]; k++) {
      c->row[at = to[a->row[k]]++] = j;
      if (c->value)
        c->value[at] = a->value[k];
    }
  return complete(c, to, NULL, 1);
}

static matrix *banded(const double *x, int n) {
  matrix *t = new_matrix(0, 0, 1, 1, 1);
  for (int i = 0; i < n; i++) {
    enter(t, i, i, 2 + x[i]);
    if (i > 0)
      enter(t, i, i - 1, x[i] * x[i - 1]);
    if (i > 1)
      enter(t, i - 2, i, sin(x[i]));
  }
  matrix *a = compress(t);
  grow(a, 0);
  drop_matrix(t);
  return a;
}

double product(const double *x, int n) {
  matrix *a = banded(x, n);
  double *y = cleared(n, sizeof(double)), sum = 0;
  for (word j = 0; j < a->columns; j++)
    for (word k = a->start[j]; k < a->start[j + 1]; k++)
      y[a->row[k]] += a->value[k] * x[j] * (j + 1);
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  drop(y);
  drop_matrix(a);
  return sum;
}

double transposed(const double *x, int n) {
  matrix *a = banded(x, n), *b = transpose(a, 1), *pattern = transpose(a, 0);
  double sum = 0;
  for (word j = 0; j < b->columns; j++)
    for (word k = b->start[j]; k < b->start[j + 1]; k++)
      sum += b->value[k] * (1 + b->row[k]) * x[j] * (1 + pattern->row[k]);
  drop_matrix(pattern);
  drop_matrix(b);
  drop_matrix(a);
  return sum;
}

int main(void) {
  double x[7], t[7];
  fill(x, 7, 61, -1, 1);
  fill(t, 7, 62, -1, 1);
  CHECK_FUNCTION(product, 7, x, t, 7);
  CHECK_FUNCTION(transposed, 7, x, t, 7);
  return finish();
}
