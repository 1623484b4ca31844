// A word of a union is loaded once, as an integer: in one branch it is an index, a length, a case,
// a key or an address; in another one the whole union is copied, which holds a float then. The word
// counted as an integer or an address wherever it went, and the derivative of the float was 0
// without a message. (Were these functions static, -O3 would change them.)
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2 --flag=-fno-strict-aliasing --flag=-I%S/../EndToEnd %s
#include "check.h"
#define APART __attribute__((noinline))
typedef struct {
  long tag;
  union {
    double d;
    long i;
    double *p;
  } u;
} item;
enum { NUMBER, INDEX, ADDRESS };

APART double byIndex(const item *v, item *out, const double *t) {
  item x = *v;
  if (x.tag == INDEX)
    return t[x.u.i];
  *out = x;
  return 0;
}
APART double byLength(const item *v, item *out, const double *t) {
  item x = *v;
  double s = 0;
  if (x.tag == INDEX) {
    for (long k = 0; k < x.u.i; k++)
      s += t[k];
    return s;
  }
  *out = x;
  return s;
}
APART double byCase(const item *v, item *out, const double *t) {
  item x = *v;
  if (x.tag == INDEX)
    switch (x.u.i) {
    case 0:
      return t[1];
    case 1:
      return t[2] * t[3];
    case 3:
      return sin(t[0]);
    case 7:
      return t[3] * t[3];
    default:
      return 2.5;
    }
  *out = x;
  return 0;
}
APART double byKey(const item *v, item *out, const double *t) {
  item x = *v;
  if (x.tag == INDEX)
    return t[(x.u.i * 2654435761u >> 7) & 3];
  *out = x;
  return 0;
}
APART double byValue(const item *v, item *out, const double *t) {
  item x = *v;
  if (x.tag == INDEX)
    return t[0] * (double)x.u.i;
  *out = x;
  return 0;
}
APART double written(item *v, item *out, const double *t) {
  item x = *v;
  v->u.d = 1;
  if (x.tag == INDEX) {
    v->u.i = x.u.i;
    return t[x.u.i];
  }
  *out = x;
  v->u = x.u;
  return 0;
}
/* One more function in between, which only sees pieces of memory. */
APART double handsOn(const item *v, item *out, const double *t) {
  item mine = {INDEX, {.i = 2}};
  double s = byIndex(v, &mine, t);
  memcpy(out, &mine, sizeof mine);
  return s;
}
static double sum(const double *in, const double *t) {
  item a[3] = {{NUMBER, {.d = in[0] * in[1]}}, {INDEX, {.i = 3}}, {NUMBER, {.d = in[1]}}};
  double s = 0;
  for (int k = 0; k < 21; k++) {
    item *v = &a[k % 3], out = {INDEX, {.i = 1}};
    double y = k < 3    ? byIndex(v, &out, t)
               : k < 6  ? byLength(v, &out, t)
               : k < 9  ? byCase(v, &out, t)
               : k < 12 ? byKey(v, &out, t)
               : k < 15 ? byValue(v, &out, t)
               : k < 18 ? written(v, &out, t)
                        : handsOn(v, &out, t);
    s += (k + 1) * y;
    if (out.tag == NUMBER)
      s += out.u.d * out.u.d * (1 + 0.1 * k);
  }
  return s;
}

/* The address is the first member, so that words are loaded as addresses. */
typedef struct {
  long tag;
  union {
    double *p;
    double d;
  } u;
} place;
APART double byAddress(const item *v, item *out, const double *t) {
  item x = *v;
  if (x.tag == INDEX)
    return t[x.u.i];
  if (x.tag == ADDRESS)
    return *x.u.p * 3;
  *out = x;
  return 0;
}
APART double through(const place *v, place *out) {
  place x = *v;
  if (x.tag == ADDRESS)
    return *x.u.p * 3;
  *out = x;
  return 0;
}
static double follow(const double *in, const double *t) {
  double q[2] = {in[0] * 3, in[1]}, s = 0;
  item a[3] = {{NUMBER, {.d = in[0] * in[1]}}, {INDEX, {.i = 3}}, {ADDRESS, {.p = q}}};
  for (int k = 0; k < 3; k++) {
    item out = {NUMBER, {.d = 0.5}};
    s += (k + 1) * byAddress(&a[k], &out, t);
    if (out.tag == NUMBER)
      s += out.u.d * out.u.d;
  }
  return s;
}
static double followFirst(const double *in, const double *t) {
  double q[2] = {in[0] * 3, in[1]}, s = 0;
  place a[3] = {{NUMBER, {.d = in[0] * in[1]}}, {ADDRESS, {.p = q + 1}}, {ADDRESS, {.p = q}}};
  for (int k = 0; k < 3; k++) {
    place out = {NUMBER, {.d = 0.5}};
    s += (k + 1) * through(&a[k], &out) * t[0];
    if (out.tag == NUMBER)
      s += out.u.d * out.u.d;
  }
  return s;
}

typedef double function(const double *in, const double *t);
#define DERIVATIVES(NAME, F)                                                                       \
  do {                                                                                             \
    double in[2] = {1.5, 0.7}, t[4] = {0.3, 2, 1.1, 4}, din[2] = {0}, dt[4] = {0};                 \
    GRADIENT_OF((void *)F, enzyme_dup, in, din, enzyme_dup, t, dt);                                \
    for (int k = 0; k < 2; k++) {                                                                  \
      double sin_[2] = {k == 0, k == 1}, st[4] = {0}, slope = SLOPE(in[k], F(in, t));              \
      CHECK_AT(NAME " by a number", k, din[k], slope);                                             \
      CHECK_AT(NAME " forward", k, TANGENT_OF((void *)F, enzyme_dup, in, sin_, enzyme_dup, t, st), \
               slope);                                                                             \
    }                                                                                              \
    for (int k = 0; k < 4; k++)                                                                    \
      CHECK_AT(NAME " by the table", k, dt[k], SLOPE(t[k], F(in, t)));                             \
  } while (0)
int main(void) {
  DERIVATIVES("sum", sum);
  DERIVATIVES("follow", follow);
  DERIVATIVES("first", followFirst);
  return finish();
}
