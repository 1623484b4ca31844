// The two halves of a reverse derivative, called by the user: tapes by pointer, by value and in
// memory; overwritten arguments; explicit seeds; several tapes alive; one tape used twice.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

extern int enzyme_allocated, enzyme_tape, enzyme_nofree, enzyme_not_overwritten, enzyme_byref;

typedef struct {
  void *tape;
  double value;
} Augmented;
typedef struct {
  double dx, dy;
} Gradient;
void *__enzyme_augmentfwd(void *, ...);
Augmented __enzyme_augmentfwd_value(void *, ...);
void __enzyme_augmentfwd_nothing(void *, ...);
double __enzyme_augmentfwd_double(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
double __enzyme_reverse(void *, ...);
Gradient __enzyme_reverse_two(void *, ...);
void __enzyme_reverse_nothing(void *, ...);

double product(double x, double y) { return sin(x) * y * y; }

double sum(const double *p, int n) {
  double total = 0;
  for (int i = 0; i < n; i++)
    total += p[i] * p[i] * p[i];
  return total;
}

double collatz(double x) { // The trip count is known only afterwards.
  double r = x;
  while (r < 100)
    r = r * r + x;
  return r;
}

void scale(double *p, int n, double by) {
  for (int i = 0; i < n; i++)
    p[i] *= by * p[i];
}

double recursive(double x, int n) { return n ? x * recursive(sin(x), n - 1) : x; }

static double inside(double *p) { return p[0] * p[1]; }
double outside(double *p, int n) { return n > 0 ? inside(p) * outside(p + 1, n - 1) : 1; }

typedef struct {
  double a, b;
} Pair;

// The halves need not be in one function, nor the values in one place.
__attribute__((noinline)) Augmented first(double x) {
  return __enzyme_augmentfwd_value((void *)collatz, x);
}
__attribute__((noinline)) double second(double x, double seed, void *tape) {
  return __enzyme_reverse((void *)collatz, x, seed, tape);
}

static void pointers(void) {
  double x = 0.7, y = 1.3;
  Augmented a = __enzyme_augmentfwd_value((void *)product, x, y);
  CHECK("value", a.value, product(x, y));
  Gradient g = __enzyme_reverse_two((void *)product, x, y, 2.0, a.tape);
  CHECK("dx", g.dx, 2 * SLOPE(x, product(x, y)));
  CHECK("dy", g.dy, 2 * SLOPE(y, product(x, y)));
  // Without a seed it is 1; without the other members of the result, the tape is there.
  void *tape = __enzyme_augmentfwd((void *)product, enzyme_noret, x, enzyme_const, y);
  CHECK("only dx", __enzyme_reverse((void *)product, x, enzyme_const, y, tape),
        SLOPE(x, product(x, y)));
  tape = __enzyme_augmentfwd((void *)product, x, enzyme_const, y);
  CHECK("seeded dx", __enzyme_reverse((void *)product, x, enzyme_const, y, -3.0, tape),
        -3 * SLOPE(x, product(x, y)));
}

static void severalAlive(void) {
  double x[3] = {1.1, 2.5, 0.4};
  Augmented a[3];
  for (int i = 0; i < 3; i++)
    a[i] = first(x[i]);
  for (int i = 0; i < 3; i++) {
    CHECK_AT("alive value", i, a[i].value, collatz(x[i]));
    CHECK_AT("alive", i, second(x[i], 0.01, a[i].tape), 0.01 * SLOPE_WITHIN(1e-5, x[i], collatz(x[i])));
  }
}

static void overwritten(void) {
  enum { N = 5 };
  double p[N], d[N] = {0};
  fill(p, N, 3, 0.5, 2);
  Augmented a = __enzyme_augmentfwd_value((void *)sum, enzyme_dup, p, d, enzyme_const, N);
  double old[N];
  memcpy(old, p, sizeof p);
  memset(p, 0, sizeof p);
  __enzyme_reverse_nothing((void *)sum, enzyme_dup, p, d, enzyme_const, N, 1.0, a.tape);
  for (int i = 0; i < N; i++)
    CHECK_AT("overwritten", i, d[i], 3 * old[i] * old[i]);
  // The promise that they are not lets the second half read them again.
  memset(d, 0, sizeof d);
  a = __enzyme_augmentfwd_value((void *)sum, enzyme_not_overwritten, enzyme_dup, old, d, N);
  __enzyme_reverse_nothing((void *)sum, enzyme_not_overwritten, enzyme_dup, old, d, N, 1.0, a.tape);
  for (int i = 0; i < N; i++)
    CHECK_AT("not overwritten", i, d[i], 3 * old[i] * old[i]);
  // What the function itself overwrites is kept in any case.
  double q[N], dq[N], by = 1.5;
  memcpy(q, old, sizeof q);
  for (int i = 0; i < N; i++)
    dq[i] = i;
  void *tape = __enzyme_augmentfwd((void *)scale, q, dq, N, by);
  CHECK("primal", q[2], by * old[2] * old[2]);
  double dby = __enzyme_reverse((void *)scale, q, dq, N, by, tape), expected = 0;
  for (int i = 0; i < N; i++) {
    CHECK_AT("in place", i, dq[i], i * 2 * by * old[i]);
    expected += i * old[i] * old[i];
  }
  CHECK("by", dby, expected);
}

static void tapesInMemory(void) {
  double x = 0.7, y = 1.3;
  double expected = SLOPE(x, product(x, y));
  size_t size = __enzyme_augmentsize((void *)product, enzyme_out, enzyme_const);
  void *room = malloc(size);
  double value = __enzyme_augmentfwd_double((void *)product, enzyme_allocated, size, enzyme_tape,
                                            room, x, enzyme_const, y);
  CHECK("room value", value, product(x, y));
  CHECK("room", __enzyme_reverse((void *)product, enzyme_allocated, size, enzyme_tape, room, x,
                                 enzyme_const, y, 1.0), expected);
  free(room);
  // The pointer form can be put somewhere as well.
  void *somewhere;
  __enzyme_augmentfwd_nothing((void *)collatz, enzyme_tape, &somewhere, enzyme_noret, x);
  CHECK("pointer in memory", __enzyme_reverse((void *)collatz, enzyme_tape, &somewhere, x, 1.0),
        SLOPE_WITHIN(1e-5, x, collatz(x)));
  char large[256];
  value = __enzyme_augmentfwd_double((void *)collatz, enzyme_allocated, 256, enzyme_tape, large, x);
  CHECK("large value", value, collatz(x));
  CHECK("large", __enzyme_reverse((void *)collatz, enzyme_allocated, 256, enzyme_tape, large, x, 1.0),
        SLOPE_WITHIN(1e-5, x, collatz(x)));
}

typedef struct {
  char bytes[64];
} Tape;
typedef struct {
  Tape tape;
  double value;
} ByValue;
ByValue __enzyme_augmentfwd_by_value(void *, ...);
Tape __enzyme_augmentfwd_tape(void *, ...);

static void tapesByValue(void) {
  double x = 0.9, expected = SLOPE_WITHIN(1e-5, x, collatz(x));
  ByValue a = __enzyme_augmentfwd_by_value((void *)collatz, enzyme_allocated, 64, x);
  CHECK("by value", a.value, collatz(x));
  CHECK("by value dx", __enzyme_reverse((void *)collatz, enzyme_allocated, 64, x, 2.0, a.tape),
        2 * expected);
  Tape t = __enzyme_augmentfwd_tape((void *)collatz, enzyme_allocated, 64, enzyme_noret, x);
  CHECK("tape alone", __enzyme_reverse((void *)collatz, enzyme_allocated, 64, x, 2.0, t),
        2 * expected);
}

static void usedAgain(void) {
  double x = 1.1;
  Augmented a = first(x);
  double expected = SLOPE_WITHIN(1e-5, x, collatz(x));
  for (int i = 1; i <= 3; i++)
    CHECK_AT("again", i,
             __enzyme_reverse((void *)collatz, enzyme_nofree, x, (double)i, a.tape), i * expected);
  CHECK("last", second(x, 4.0, a.tape), 4 * expected);
  Augmented r = __enzyme_augmentfwd_value((void *)recursive, x, 3);
  expected = SLOPE(x, recursive(x, 3));
  for (int i = 0; i < 2; i++)
    CHECK_AT("recursive again", i,
             __enzyme_reverse((void *)recursive, enzyme_nofree, x, 3, 1.0, r.tape), expected);
  CHECK("recursive", __enzyme_reverse((void *)recursive, x, 3, 1.0, r.tape), expected);
  double p[5], d[5] = {0}, once[5];
  fill(p, 5, 1, 0.5, 2);
  Augmented o = __enzyme_augmentfwd_value((void *)outside, p, d, 3);
  __enzyme_reverse_nothing((void *)outside, enzyme_nofree, p, d, 3, 1.0, o.tape);
  memcpy(once, d, sizeof d);
  __enzyme_reverse_nothing((void *)outside, enzyme_nofree, p, d, 3, 1.0, o.tape);
  __enzyme_reverse_nothing((void *)outside, p, d, 3, 1.0, o.tape);
  CHECK_SLOPES("outside", 4, p, once, outside(p, 3));
  for (int i = 0; i < 4; i++)
    CHECK_AT("outside thrice", i, d[i], 3 * once[i]);
}

double heap(double x, int n) {
  double *p = malloc(n * sizeof *p), r = 0;
  for (int i = 0; i < n; i++)
    p[i] = x * i;
  for (int i = 0; i < n; i++)
    r += p[i] * p[n - 1 - i];
  free(p);
  return r;
}

// What the primal releases stays until the tape has been used.
static void released(void) {
  double x = 0.3, expected = SLOPE(x, heap(x, 6));
  Augmented a = __enzyme_augmentfwd_value((void *)heap, x, 6);
  CHECK("heap again", __enzyme_reverse((void *)heap, enzyme_nofree, x, 6, 1.0, a.tape), expected);
  CHECK("heap", __enzyme_reverse((void *)heap, x, 6, 1.0, a.tape), expected);
}

double *choose(double *p, int i) {
  p[0] *= p[1];
  return p + i;
}
typedef struct {
  void *tape;
  double *result, *shadow;
} Chosen;
Chosen __enzyme_augmentfwd_chosen(void *, ...);

static void pointerResults(void) {
  double p[2] = {2, 3}, d[2] = {0};
  Chosen c = __enzyme_augmentfwd_chosen((void *)choose, p, d, 0);
  CHECK("result", *c.result, 6);
  *c.shadow += 1;
  __enzyme_reverse_nothing((void *)choose, p, d, 0, c.tape);
  CHECK_AT("chosen", 0, d[0], 3);
  CHECK_AT("chosen", 1, d[1], 2);
}

int main(void) {
  pointers();
  severalAlive();
  overwritten();
  tapesInMemory();
  tapesByValue();
  usedAgain();
  released();
  pointerResults();
  return finish();
}
