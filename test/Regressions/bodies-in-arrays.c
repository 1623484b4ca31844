// A small engine, as those of games are: records of all kinds are known by arrays of addresses, by tables of hashes and
// by callbacks, so that types find one memory for all of them. Records are passed by value, several zeros are stored
// at once, and an array of records is copied as a whole.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
enum { N = 4, BUCKETS = 7 };

typedef struct Vec {
  double x, y;
} Vec;
typedef struct Box {
  double l, b, r, t;
} Box;
typedef struct Array {
  int num, max;
  void **arr;
} Array;
typedef struct Body {
  double mass;
  Vec p, v, f;
  struct {
    struct Body *root, *next;
    double idle;
  } sleeping;
  uintptr_t id;
} Body;
typedef struct Contact {
  Vec at;
  double impulse, bias;
  uintptr_t hash;
} Contact;
typedef struct Pair {
  Body *a, *b;
  int count;
  Contact *contacts;
  Vec n;
} Pair;
typedef struct Bin {
  void *elt;
  uintptr_t hash;
  struct Bin *next;
} Bin;
typedef struct World {
  Array *bodies, *pairs;
  Bin *table[BUCKETS];
  uintptr_t ids;
  double time;
} World;
typedef void (*Each)(void *, void *);

static Array *newArray(void) {
  Array *a = calloc(1, sizeof *a);
  a->max = 2;
  a->arr = malloc(a->max * sizeof(void *));
  return a;
}
__attribute__((noinline)) static void push(Array *a, void *object) {
  if (a->num == a->max) {
    a->max = 3 * (a->max + 1) / 2;
    a->arr = realloc(a->arr, a->max * sizeof(void *));
  }
  a->arr[a->num++] = object;
}
__attribute__((noinline)) static void each(Array *a, Each f, void *data) {
  for (int i = 0; i < a->num; i++)
    f(a->arr[i], data);
}
static uintptr_t hashOf(uintptr_t a, uintptr_t b) { return a * 3344921057u ^ b * 2654435761u; }

__attribute__((noinline)) static void *lookUp(World *w, uintptr_t hash) {
  for (Bin *bin = w->table[hash % BUCKETS]; bin; bin = bin->next)
    if (bin->hash == hash)
      return bin->elt;
  return 0;
}
__attribute__((noinline)) static void insert(World *w, uintptr_t hash, void *elt) {
  Bin *bin = calloc(1, sizeof *bin);
  bin->hash = hash;
  bin->elt = elt;
  bin->next = w->table[hash % BUCKETS];
  w->table[hash % BUCKETS] = bin;
}
static Box boxOf(const Body *b, double r) { return (Box){b->p.x - r, b->p.y - r, b->p.x + r, b->p.y + r}; }
static double overlap(Box a, Box b) {
  double x = a.r - b.l, y = a.t - b.b;
  return 1 / (1 + x * x + y * y);
}
static Vec plus(Vec a, Vec b, double k) { return (Vec){a.x + k * b.x, a.y + k * b.y}; }

static void move(void *object, void *data) {
  Body *b = object;
  World *w = data;
  b->v = plus(b->v, b->f, w->time / b->mass);
  b->p = plus(b->p, b->v, w->time);
  b->f = (Vec){0, 0};
}
static void settle(void *object, void *data) {
  Pair *p = object;
  World *w = data;
  // As where contacts outlive the step that has found them.
  Contact *kept = calloc(1, p->count * sizeof(Contact));
  memcpy(kept, p->contacts, p->count * sizeof(Contact));
  for (int i = 0; i < p->count; i++) {
    Contact *c = &kept[i];
    c->impulse += c->bias * w->time;
    p->a->f = plus(p->a->f, p->n, c->impulse);
    p->b->f = plus(p->b->f, p->n, -c->impulse);
  }
  free(p->contacts);
  p->contacts = kept;
}
static void meet(World *w, Body *a, Body *b) {
  double common = overlap(boxOf(a, 0.9), boxOf(b, 0.9));
  if (common == 0)
    return;
  uintptr_t hash = hashOf((uintptr_t)a, (uintptr_t)b);
  Pair *p = lookUp(w, hash);
  if (!p) {
    p = calloc(1, sizeof *p);
    p->a = a;
    p->b = b;
    p->count = 1;
    p->contacts = calloc(1, sizeof(Contact));
    insert(w, hash, p);
    push(w->pairs, p);
  }
  Contact *c = &p->contacts[0];
  c->at = plus(a->p, b->p, 0.5);
  c->impulse = c->bias = 0;
  if (common > 0.01)
    c->bias = common;
  c->hash = hashOf(a->id, b->id);
  p->n = plus(a->p, b->p, -1);
}
static Body *newBody(World *w, double mass, Vec p, Vec v) {
  Body *b = malloc(sizeof *b);
  b->v = b->f = (Vec){0, 0};
  b->sleeping.root = b->sleeping.next = 0;
  b->sleeping.idle = 0;
  b->mass = mass;
  b->p = p;
  b->v = v;
  b->id = w->ids++;
  push(w->bodies, b);
  return b;
}
static double simulate(const double *x, int n) {
  World *w = calloc(1, sizeof *w);
  w->bodies = newArray();
  w->pairs = newArray();
  w->time = 0.1;
  for (int i = 0; i < n; i++)
    newBody(w, 1 + 0.1 * i, (Vec){x[i], 0.3 * i * x[0]}, (Vec){0.1 * x[i], x[1] * x[i]});
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i; k++)
        meet(w, w->bodies->arr[i], w->bodies->arr[k]);
    each(w->pairs, settle, w);
    each(w->bodies, move, w);
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    Body *b = w->bodies->arr[i];
    sum += b->p.x * b->p.y + 0.5 * b->v.y;
    free(b);
  }
  for (int i = 0; i < w->pairs->num; i++) {
    Pair *p = w->pairs->arr[i];
    free(p->contacts);
    free(p);
  }
  for (int i = 0; i < BUCKETS; i++)
    for (Bin *bin = w->table[i], *next; bin; bin = next) {
      next = bin->next;
      free(bin);
    }
  free(w->bodies->arr);
  free(w->pairs->arr);
  free(w->bodies);
  free(w->pairs);
  free(w);
  return sum;
}

int main(void) {
  double x[N], t[N];
  fill(x, N, 5, 0.3, 1.4);
  fill(t, N, 6, -1, 1);
  CHECK_FUNCTION(simulate, N, x, t, N);
  return finish();
}
