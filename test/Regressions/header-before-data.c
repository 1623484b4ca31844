// Memory that begins with integers, a header or what all kinds of a record have in common, and goes
// on with numbers: with debug information, functions that see only its beginning took all of it for
// integers, which have no derivatives.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd --flag=-g --keep plan %s
#include "check.h"
#define NOINLINE __attribute__((noinline))

/* A base in C. */
struct shape {
  int kind, references;
};
struct circle {
  struct shape base;
  double radius;
};
struct box {
  struct shape base;
  double width, height;
};
static NOINLINE struct shape *make(int kind) {
  struct shape *s = malloc(kind ? sizeof(struct box) : sizeof(struct circle));
  s->kind = kind;
  s->references = 1;
  return s;
}
static NOINLINE struct shape *circle(double radius) {
  struct circle *c = (struct circle *)make(0);
  c->radius = radius;
  return &c->base;
}
static NOINLINE struct shape *box(double width, double height) {
  struct box *b = (struct box *)make(1);
  b->width = width;
  b->height = height;
  return &b->base;
}
static NOINLINE double area(const struct shape *s) {
  if (!s->kind)
    return 3 * ((struct circle *)s)->radius * ((struct circle *)s)->radius;
  return ((struct box *)s)->width * ((struct box *)s)->height;
}
static NOINLINE void drop(struct shape *s) {
  if (--s->references == 0)
    free(s);
}
double areas(const double *x) {
  struct shape *s[3] = {circle(x[0]), box(x[1], x[2]), circle(x[1])};
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += (i + 1) * area(s[i]);
  for (int i = 0; i < 3; i++)
    drop(s[i]);
  return sum;
}

/* A header before a block of numbers, of which its owner knows nothing. */
static NOINLINE void *block(int bytes) {
  struct shape *head = malloc(sizeof *head + bytes);
  head->references = 1;
  head->kind = bytes;
  return head + 1;
}
static NOINLINE void release(void *p) { drop((struct shape *)p - 1); }
double weighted(const double *x) {
  double *v = block(3 * sizeof(double)), sum = 0;
  for (int i = 0; i < 3; i++)
    v[i] = x[i] * x[i];
  for (int i = 0; i < 3; i++)
    sum += (i + 1) * v[i];
  release(v);
  return sum;
}

/* An array of unknown length whose elements begin with an integer. */
struct term {
  int kind;
  union {
    struct {
      int i, j;
      double k;
    } pair;
    struct {
      int i;
      double k, power;
    } own;
  } of;
};
struct table {
  int count, capacity;
  long reserved[3];
  struct term terms[];
};
static NOINLINE struct table *table(int capacity) {
  struct table *t = malloc(sizeof *t + capacity * sizeof(struct term));
  t->count = 0;
  t->capacity = capacity;
  return t;
}
double energy(const double *x) {
  struct table *t = table(4);
  for (int i = 0; i < 2; i++) {
    struct term *p = &t->terms[t->count++];
    p->kind = 0;
    p->of.pair.i = i;
    p->of.pair.j = i + 1;
    p->of.pair.k = x[i];
    struct term *q = &t->terms[t->count++];
    q->kind = 1;
    q->of.own.i = i;
    q->of.own.k = x[2];
    q->of.own.power = 2;
  }
  double sum = 0;
  for (const struct term *e = t->terms; e < t->terms + t->count; e++)
    sum += e->kind ? e->of.own.k * pow(x[e->of.own.i], e->of.own.power)
                   : e->of.pair.k * x[e->of.pair.i] * x[e->of.pair.j];
  free(t);
  return sum;
}

int main(void) {
  double x[3] = {0.7, 1.3, 0.4}, t[3] = {1, -0.5, 2};
  CHECK_FUNCTION(areas, 3, x, t);
  CHECK_FUNCTION(weighted, 3, x, t);
  CHECK_FUNCTION(energy, 3, x, t);
  return finish();
}
