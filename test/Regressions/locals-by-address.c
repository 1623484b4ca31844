// Locals whose addresses a program finds in memory again, compares, sorts or hashes, in
// derivatives of two halves: the second half has no such locals, or has them elsewhere.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <stddef.h>
#include <stdint.h>
typedef struct {
  void *tape;
  double value;
} Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
void __enzyme_reverse(void *, ...);
#define APART __attribute__((noinline))
enum { N = 6 };

/* What the stack looks like between the halves is not the same as in them. */
static APART void overwriteStack(int n) {
  volatile char room[4096];
  for (int i = 0; i < 4096; i++)
    room[i] = (char)(n + i);
}

#define DERIVATIVES(F)                                                                             \
  double second_##F(double *x, int n) { return F(x, n); }                                          \
  static APART Augmented record_##F(double *x, double *v, int n) {                                 \
    volatile char deeper[64];                                                                      \
    deeper[0] = 0;                                                                                 \
    return __enzyme_augmentfwd((void *)F, enzyme_dup, x, v, enzyme_const, n);                      \
  }                                                                                                \
  static APART Augmented augment_##F(double *x, double *d, int n) {                                \
    return __enzyme_augmentfwd((void *)second_##F, enzyme_dup, x, d, enzyme_const, n);             \
  }                                                                                                \
  static void check_##F(int n) {                                                                   \
    double x[N] = {.4, .7, -.3, 1.2, .9, -.6}, v[N] = {1, -.5, .3, .2, .7, -.1}, d[N] = {0},       \
           slope = 0;                                                                              \
    Augmented a = record_##F(x, v, n);                                                             \
    overwriteStack(n);                                                                             \
    double t = __enzyme_fwdsplit((void *)F, enzyme_dup, x, v, enzyme_const, n, a.tape);            \
    a = augment_##F(x, d, n);                                                                      \
    overwriteStack(n);                                                                             \
    __enzyme_reverse((void *)second_##F, enzyme_dup, x, d, enzyme_const, n, 1.0, a.tape);          \
    for (int i = 0; i < N; i++) {                                                                  \
      double s = SLOPE(x[i], F(x, n));                                                             \
      CHECK_AT(#F " reverse", i, d[i], s);                                                         \
      slope += s * v[i];                                                                           \
    }                                                                                              \
    CHECK(#F " forward", t, slope);                                                                \
  }

/* A ring of parts with a local head, in the way of Linux. */
struct link {
  struct link *next, *prev;
};
struct part {
  double x;
  struct link l;
};
#define PART(L) ((struct part *)((char *)(L)-offsetof(struct part, l)))
static void append(struct link *n, struct link *h) {
  n->prev = h->prev;
  n->next = h;
  h->prev->next = n;
  h->prev = n;
}
static void cut(struct link *n) {
  n->prev->next = n->next;
  n->next->prev = n->prev;
}
double ring(double *x, int n) {
  struct link h;
  h.next = h.prev = &h;
  for (int i = 0; i < n; i++) {
    struct part *p = (struct part *)malloc(sizeof *p);
    p->x = x[i];
    append(&p->l, &h);
  }
  double e = 0;
  for (struct link *i = h.next; i != &h; i = i->next)
    e += PART(i)->x * PART(i)->x * (i->next == &h ? 2 : 1);
  for (struct link *i = h.next, *after; i != &h; i = after) {
    after = i->next;
    free(PART(i));
  }
  return e;
}
DERIVATIVES(ring)

/* The same of locals, in a function that is called. */
static APART double walk(struct link *h) {
  double e = 1;
  for (struct link *i = h->next; i != h; i = i->next)
    e = e * 1.1 + PART(i)->x * e;
  return e;
}
static APART double few(double *x, double y) {
  struct link h;
  h.next = h.prev = &h;
  struct part mine[3];
  for (int i = 0; i < 3; i++) {
    mine[i].x = x[i] * y;
    append(&mine[i].l, &h);
  }
  for (struct link *i = h.next, *after; i != &h; i = after) {
    after = i->next;
    if (PART(i)->x > .25)
      cut(i);
  }
  return walk(&h);
}
double nested(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    s = few(x + i, s) + sin(s);
  return s;
}
DERIVATIVES(nested)

/* Frames of a recursion that know each other. */
struct frame {
  struct frame *up;
  double v;
};
static APART double deep(struct frame *root, struct frame *up, double *x, int n) {
  struct frame me = {up, n ? x[n - 1] : 1};
  if (n == 0) {
    double s = 0;
    for (struct frame *f = &me; f != root; f = f->up)
      s = s * f->v + f->v;
    return s * root->v;
  }
  double r = deep(root, &me, x, n - 1);
  return r * me.v + (me.up == root ? .5 : .25);
}
double frames(double *x, int n) {
  struct frame root = {0, x[0] + 2};
  return deep(&root, &root, x, n);
}
DERIVATIVES(frames)

/* A table whose keys are addresses: where an entry is depends on them, the result does not. */
struct entry {
  void *key;
  double v;
};
static APART double *valueOf(struct entry *table, void *key) {
  unsigned h = (unsigned)(((uintptr_t)key >> 3) * 2654435761u) % 16;
  while (table[h].key && table[h].key != key)
    h = (h + 1) % 16;
  table[h].key = key;
  return &table[h].v;
}
double hashed(double *x, int n) {
  struct entry table[16] = {{0}};
  char keys[N * 8];
  for (int i = 0; i < n; i++)
    *valueOf(table, keys + 8 * i) += x[i] * x[i];
  for (int i = 0; i < n; i++)
    *valueOf(table, keys + 8 * i) *= *valueOf(table, keys + 8 * ((i + 1) % n));
  double r = 0;
  for (int i = 0; i < n; i++)
    r += *valueOf(table, keys + 8 * i) * (i + 1);
  return r;
}
DERIVATIVES(hashed)

/* Ends of ranges in memory, orders of addresses. */
struct range {
  double *at, *end;
};
static APART int hasMore(struct range *r) { return r->at < r->end; }
double ranges(double *x, int n) {
  double a[N], *p[N];
  for (int i = 0; i < N; i++) {
    a[i] = x[i] * 2;
    p[i * 5 % N] = a + i;
  }
  struct range *r = (struct range *)malloc(sizeof *r);
  r->at = a;
  r->end = a + n;
  double s = 0;
  while (hasMore(r))
    s = s * .3 + *r->at++ * s + 1;
  for (int i = 1; i < N; i++)
    for (int k = i; k > 0 && p[k] < p[k - 1]; k--) {
      double *t = p[k];
      p[k] = p[k - 1];
      p[k - 1] = t;
    }
  for (int i = 0; i < N; i++)
    s += *p[i] * *p[i] * (i + 1) + (r->end - p[i]) * *p[i];
  free(r);
  return s;
}
DERIVATIVES(ranges)

/* Memory of the stack that a loop asks for. */
double pieces(double *x, int n) {
  struct frame h = {&h, 0};
  for (int i = 0; i < n; i++) {
    struct frame *p = (struct frame *)__builtin_alloca(sizeof *p);
    p->v = x[i];
    p->up = h.up;
    h.up = p;
  }
  double r = 1;
  for (struct frame *i = h.up; i != &h; i = i->up)
    r = r * i->v + (i->up == &h ? i->v : 1);
  return r;
}
DERIVATIVES(pieces)

/* What is aligned stays so. */
struct line {
  double v[4];
  struct line *next;
} __attribute__((aligned(64)));
static APART int isAligned(const void *p) { return (uintptr_t)p % 64 == 0; }
double lines(double *x, int n) {
  struct line l[2];
  l[0].next = l + 1;
  l[1].next = l;
  for (int k = 0; k < 4; k++) {
    l[0].v[k] = x[k];
    l[1].v[k] = x[k] * x[k];
  }
  double s = 0;
  struct line *at = l;
  for (int i = 0; i < n; i++, at = at->next)
    s = s * .5 + at->v[i % 4] * at->v[3] * (isAligned(at) ? 1 : 100);
  return s;
}
DERIVATIVES(lines)

int main(void) {
  check_ring(4);
  check_nested(3);
  check_frames(4);
  check_hashed(4);
  check_ranges(5);
  check_pieces(5);
  check_lines(5);
  return finish();
}
