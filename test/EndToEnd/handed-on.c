// Structures that hold addresses of differentiated memory beside such of constant memory, handed to
// functions that are not inlined: these see one structure, and must not ask for shadows that are not.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))
typedef struct {
  const double *a, *w;
} Pair;
typedef struct Link {
  const struct Link *next;
  double factor;
  const double *x;
} Link;

static const double constants[3] = {1, 2, 3};
static double variables[3] = {1, 2, 3};

APART double dot(const Pair *p, int n) {
  double r = 0;
  for (int i = 0; i < n; i++)
    r += p->a[i] * p->a[i] * p->w[i];
  return r;
}
APART double *make(int n) {
  double *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++)
    w[i] = i + 1;
  return w;
}
APART void complete(Pair *p, int n) { p->w = make(n); }
APART double along(const Link *l) {
  double r = 0;
  for (; l; l = l->next)
    r += l->factor * l->x[0] * l->x[0];
  return r;
}

APART double local(const double *x, int n) {
  double w[3] = {1, 2, 3};
  Pair p = {x, w};
  return dot(&p, n);
}
APART double global(const double *x, int n) {
  Pair p = {x, constants}, q = {x, variables};
  return dot(&p, n) + 2 * dot(&q, n);
}
APART double made(const double *x, int n) {
  double *w = make(n);
  Pair p = {x, w};
  double r = dot(&p, n);
  free(w);
  return r;
}
APART double completed(const double *x, int n) {
  Pair p = {x, 0};
  complete(&p, n);
  double r = dot(&p, n);
  free((void *)p.w);
  return r;
}
APART double list(const double *x, int n) {
  Link a = {0, 1, x}, b = {&a, 2, x + 1}, c = {&b, n, x + 2};
  return along(&c);
}
APART double marked(const double *x, const double *w, int n) {
  Pair p = {x, w};
  return dot(&p, n);
}
APART double copied(const double *x, const double *w, int n) {
  Pair p = {x, w}, q;
  memcpy(&q, &p, sizeof p);
  return dot(&q, n) * 2;
}
APART double either(const double *x, const double *w, int n) { /* The same place, then the other. */
  Pair p = {x, w};
  double r = dot(&p, n);
  p.a = w;
  p.w = x;
  return r + dot(&p, n);
}

#define TEST(F, ...)                                                                               \
  do {                                                                                             \
    double dx[3] = {0};                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, ##__VA_ARGS__);                                \
    for (int i = 0; i < 3; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], slopes[i]);                                                           \
    CHECK(#F " jvp", __enzyme_fwddiff((void *)F, enzyme_dup, x, t, ##__VA_ARGS__),                 \
          innerProduct(t, dx, 3));                                                                 \
  } while (0)
#define SLOPES(CALL)                                                                               \
  for (int i = 0; i < 3; i++)                                                                      \
    slopes[i] = SLOPE(x[i], CALL);

int main(void) {
  double x[3], t[3], w[3] = {1, 2, 3}, slopes[3];
  fill(x, 3, 51, -1, 2);
  fill(t, 3, 52, -1, 1);
  SLOPES(local(x, 3)) TEST(local, 3);
  SLOPES(global(x, 3)) TEST(global, 3);
  SLOPES(made(x, 3)) TEST(made, 3);
  SLOPES(completed(x, 3)) TEST(completed, 3);
  SLOPES(list(x, 3)) TEST(list, 3);
  SLOPES(marked(x, w, 3)) TEST(marked, enzyme_const, w, 3);
  SLOPES(copied(x, w, 3)) TEST(copied, enzyme_const, w, 3);
  SLOPES(either(x, w, 3)) TEST(either, enzyme_const, w, 3);
  for (int i = 0; i < 3; i++)
    CHECK_AT("constant memory is as it was", i, w[i], i + 1);
  return finish();
}
