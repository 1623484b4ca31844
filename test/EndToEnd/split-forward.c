// Forward mode after the function has run: from what it found in memory then, without its effects.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

extern int enzyme_allocated, enzyme_tape, enzyme_nofree;
typedef struct {
  void *tape;
  double value;
} Augmented;
typedef struct {
  double value, tangent;
} Both;
typedef struct {
  double lane[2];
} Lanes;
Augmented __enzyme_augmentfwd(void *, ...);
void *__enzyme_augmentfwd_tape(void *, ...);
void __enzyme_augmentfwd_nothing(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
double __enzyme_fwdsplit(void *, ...);
Both __enzyme_fwdsplit_both(void *, ...);
Lanes __enzyme_fwdsplit_lanes(void *, ...);
void __enzyme_fwdsplit_nothing(void *, ...);

double simple(double x) { return sin(x) * x; }
__attribute__((noinline)) static double square(double x) { return x * x; }
double callsSquare(double x) { return x > 0 ? square(x) + square(2 * x) : 0; }

static int runs;
__attribute__((noinline)) static double inner(double *p, double x) {
  runs++;
  double old = *p;
  *p = old * x;
  return old > 1 ? exp(x - old) : x * x * old;
}
double outer(double *p, int n, double x) {
  double r = x, *work = malloc(n * sizeof *work);
  for (int i = 0; i < n; i++) {
    work[i] = inner(p + i, r);
    r = r + work[i] * p[i];
  }
  for (int i = n; i-- > 0;)
    r *= work[i] + p[n - 1 - i];
  free(work);
  return r;
}

double recursive(double x, int n) { return n ? x * recursive(sin(x), n - 1) : x; }

int main(void) {
  double x = 0.7, slope = SLOPE(x, simple(x));
  Augmented a = __enzyme_augmentfwd((void *)simple, x);
  CHECK("value", a.value, simple(x));
  CHECK("simple", __enzyme_fwdsplit((void *)simple, x, 2.0, a.tape), 2 * slope);
  CHECK("no tape needed", __enzyme_fwdsplit((void *)simple, x, 1.0, (void *)0), slope);
  CHECK("nor for what only computes", __enzyme_fwdsplit((void *)callsSquare, x, 1.0, (void *)0), 10 * x);

  enum { N = 4 };
  double p[N] = {0.5, 1.5, 0.8, 2}, d[N] = {1, -1, 2, 0.5}, q[N], t[N];
  memcpy(q, p, sizeof p);
  memcpy(t, d, sizeof d);
  double expected = __enzyme_fwddiff((void *)outer, q, t, N, x, 0.3);
  memcpy(q, p, sizeof p);
  double value = outer(q, N, x);
  memcpy(q, p, sizeof p);
  runs = 0;
  a = __enzyme_augmentfwd((void *)outer, enzyme_dup, q, d, enzyme_const, N, enzyme_dup, x, 0.3);
  CHECK("outer value", a.value, value);
  CHECK("runs", runs, N);
  double after[N];
  memcpy(after, q, sizeof q);
  memset(q, 0, sizeof q); /* Not read again, nor written. */
  double u[N];
  memcpy(u, d, sizeof d);
  Both b = __enzyme_fwdsplit_both((void *)outer, enzyme_primal_return, enzyme_nofree, q, u, N, x,
                                  0.3, a.tape);
  CHECK("again value", b.value, value);
  CHECK("again tangent", b.tangent, expected);
  double lanes[2][N];
  memcpy(lanes[0], d, sizeof d);
  memcpy(lanes[1], d, sizeof d);
  Lanes l = __enzyme_fwdsplit_lanes((void *)outer, enzyme_width, 2, enzyme_dup, q, lanes[0],
                                    lanes[1], N, x, 0.3, 0.3, a.tape);
  CHECK("lane 0", l.lane[0], expected);
  CHECK("lane 1", l.lane[1], expected);
  for (int i = 0; i < N; i++) {
    CHECK_AT("shadow", i, u[i], t[i]);
    CHECK_AT("shadow lane", i, lanes[1][i], t[i]);
    CHECK_AT("untouched", i, q[i], 0);
  }
  CHECK("runs at the end", runs, N);

  size_t size = __enzyme_augmentsize((void *)recursive, enzyme_dup, enzyme_const);
  void *room = malloc(size);
  __enzyme_augmentfwd_nothing((void *)recursive, enzyme_allocated, size, enzyme_tape, room, x, 3);
  CHECK("recursive", __enzyme_fwdsplit((void *)recursive, enzyme_allocated, size, enzyme_tape, room,
                                       x, 1.0, 3), SLOPE(x, recursive(x, 3)));
  free(room);
  return finish();
}
