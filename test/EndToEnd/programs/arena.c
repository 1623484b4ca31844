// All memory from an arena: numbers, records and pointers cut out of the same blocks of bytes.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stddef.h>

typedef struct Block {
  struct Block *before;
  size_t used, size;
  max_align_t bytes[];
} Block;
typedef struct {
  Block *last;
} Arena;

static void *arenaTake(Arena *a, size_t bytes) {
  bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  if (!a->last || a->last->used + bytes > a->last->size) {
    size_t size = bytes > 512 ? bytes : 512;
    Block *b = malloc(sizeof(Block) + size);
    b->before = a->last;
    b->used = 0;
    b->size = size;
    a->last = b;
  }
  void *result = (char *)a->last->bytes + a->last->used;
  a->last->used += bytes;
  return result;
}
static void arenaDrop(Arena *a) {
  while (a->last) {
    Block *b = a->last;
    a->last = b->before;
    free(b);
  }
}

typedef struct Monomial {
  int power[2];
  double factor;
  struct Monomial *next;
} Monomial;

static Monomial *cons(Arena *a, int p, int q, double factor, Monomial *next) {
  Monomial *m = arenaTake(a, sizeof *m);
  m->power[0] = p;
  m->power[1] = q;
  m->factor = factor;
  m->next = next;
  return m;
}
static Monomial *differentiate(Arena *a, const Monomial *m, int by) {
  if (!m)
    return NULL;
  Monomial *rest = differentiate(a, m->next, by);
  if (m->power[by] == 0)
    return rest;
  return cons(a, m->power[0] - (by == 0), m->power[1] - (by == 1), m->factor * m->power[by], rest);
}
static double evaluate(const Monomial *m, const double *x) {
  double sum = 0;
  for (; m; m = m->next)
    sum += m->factor * pow(x[0], m->power[0]) * pow(x[1], m->power[1]);
  return sum;
}

/* The length of the gradient of a polynomial, integrated along a path. */
double work(const double *factors, int n, const double *path, int points) {
  Arena arena = {NULL};
  Monomial *m = NULL;
  for (int i = 0; i < n; i++)
    m = cons(&arena, i % 4, (i / 2) % 3, factors[i], m);
  Monomial *dx = differentiate(&arena, m, 0), *dy = differentiate(&arena, m, 1);
  double *lengths = arenaTake(&arena, points * sizeof *lengths), sum = 0;
  for (int i = 0; i < points; i++) {
    double gx = evaluate(dx, path + 2 * i), gy = evaluate(dy, path + 2 * i);
    lengths[i] = sqrt(gx * gx + gy * gy + 0.1);
  }
  for (int i = 0; i + 1 < points; i++)
    sum += lengths[i] * lengths[i + 1];
  arenaDrop(&arena);
  return sum;
}

enum { N = 8, POINTS = 4, ALL = N + 2 * POINTS };

int main(void) {
  double x[ALL], t[ALL], d[ALL] = {0};
  fill(x, ALL, 5, 0.2, 1);
  fill(t, ALL, 6, -1, 1);
  __enzyme_autodiff((void *)work, x, d, N, x + N, d + N, POINTS);
  CHECK_SLOPES_WITHIN(1e-3, "x", ALL, x, d, work(x, N, x + N, POINTS));
  CHECK_FORWARD("work", __enzyme_fwddiff((void *)work, x, t, N, x + N, t + N, POINTS), ALL, t, d);
  return finish();
}
