// The tape stands where the declared struct has room for it: before the results, behind them, or between result and
// shadow. Where all are pointers it is the one that goes to the second half, and comes first where none is seen to.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef struct {
  double value;
  void *tape;
} Number;
typedef struct {
  float value;
  void *tape;
} Single;
typedef struct {
  int value;
  void *tape;
} Whole;
typedef struct {
  float x, y;
} Floats;
typedef struct {
  Floats value;
  void *tape;
} Two;
typedef struct {
  double weight;
  double *at;
} Place;
typedef struct {
  Place value, shadow;
  void *tape;
} Last;
typedef struct {
  Place value;
  void *tape;
  Place shadow;
} Between;
typedef struct {
  void *tape;
  Place value, shadow;
} First;
typedef struct {
  void *tape;
  double *value, *shadow;
} Pointers;
typedef struct {
  double *value, *shadow;
  void *tape;
} PointersLast;
typedef struct {
  double *value;
  void *tape;
  double *shadow;
} PointersBetween;
typedef struct {
  double *low, *high;
} Ends;
typedef struct {
  Ends value, shadow;
  void *tape;
} EndsLast;
Number __enzyme_augmentfwd_number(void *, ...);
Single __enzyme_augmentfwd_single(void *, ...);
Whole __enzyme_augmentfwd_whole(void *, ...);
Two __enzyme_augmentfwd_two(void *, ...);
Last __enzyme_augmentfwd_last(void *, ...);
Between __enzyme_augmentfwd_between(void *, ...);
First __enzyme_augmentfwd_first(void *, ...);
Pointers __enzyme_augmentfwd_pointers(void *, ...);
PointersLast __enzyme_augmentfwd_pointers_last(void *, ...);
PointersBetween __enzyme_augmentfwd_pointers_between(void *, ...);
EndsLast __enzyme_augmentfwd_ends(void *, ...);
double __enzyme_reverse(void *, ...);
float __enzyme_reverse_float(void *, ...);
void __enzyme_reverse_nothing(void *, ...);
double __enzyme_fwdsplit(void *, ...);

double cube(double *p) { return p[0] * p[0] * p[0]; }
double again(double *p) { return p[0] * p[0]; }
float single(float x) { return sinf(x) * x; }
int count(const double *p, double *out) {
  *out = p[0] * p[0];
  return 7;
}
Floats both(float x) { return (Floats){x * x, 3 * x}; }
Place place(double *p, int i) {
  p[i] *= p[i];
  return (Place){2, p + i};
}
double *element(double *p, int i) {
  p[i] *= p[i];
  return p + i;
}

Ends ends(double *p) {
  p[0] *= p[0];
  p[1] *= p[1] * p[1];
  return (Ends){p, p + 1};
}

/* Kept in a variable, copied, and used on both sides of a branch. */
static void pointers(int order) {
  double r[2] = {3, 5}, dr[2] = {0, 1};
  double *value, *shadow;
  void *tape = 0;
  if (order == 0) {
    PointersLast l = __enzyme_augmentfwd_pointers_last((void *)element, r, dr, 1), copy = l;
    value = copy.value, shadow = copy.shadow, tape = copy.tape;
  } else {
    PointersBetween b = __enzyme_augmentfwd_pointers_between((void *)element, r, dr, 1);
    value = b.value, shadow = b.shadow, tape = b.tape;
  }
  CHECK_AT("pointer", order, *value, 25);
  CHECK_AT("its shadow", order, shadow - dr, 1);
  *value = 100;
  __enzyme_reverse_nothing((void *)element, r, dr, 1, tape);
  CHECK_AT("by pointer", order, dr[1], 10);
}

static void pairOfPointers(void) {
  double r[2] = {3, 5}, dr[2] = {1, 1};
  EndsLast e = __enzyme_augmentfwd_ends((void *)ends, r, dr);
  CHECK("low", *e.value.low, 9);
  CHECK("high", *e.value.high, 125);
  CHECK("shadow of low", e.shadow.low - dr, 0);
  CHECK("shadow of high", e.shadow.high - dr, 1);
  r[0] = r[1] = 100;
  __enzyme_reverse_nothing((void *)ends, r, dr, e.tape);
  CHECK("by low", dr[0], 6);
  CHECK("by high", dr[1], 75);
}

int main(void) {
  double p[2] = {3, 5}, dp[2] = {0};
  Number number = __enzyme_augmentfwd_number((void *)cube, p, dp);
  p[0] = 100;
  __enzyme_reverse_nothing((void *)cube, p, dp, 2.0, number.tape);
  CHECK("number", number.value, 27);
  CHECK("by number", dp[0], 2 * 27);

  p[0] = 3;
  dp[0] = 1;
  number = __enzyme_augmentfwd_number((void *)again, p, dp);
  p[0] = 100;
  CHECK("direction", __enzyme_fwdsplit((void *)again, p, dp, number.tape), 6);
  CHECK("value before it", number.value, 9);

  Single single1 = __enzyme_augmentfwd_single((void *)single, 0.5f);
  CHECK("float", single1.value, sinf(0.5f) * 0.5f);
  CHECK("by float", __enzyme_reverse_float((void *)single, 0.5f, 1.0f, single1.tape), cosf(0.5f) * 0.5f + sinf(0.5f));

  double q[1] = {4}, dq[1] = {0}, out, dout = 1;
  Whole whole = __enzyme_augmentfwd_whole((void *)count, q, dq, &out, &dout);
  q[0] = 100;
  __enzyme_reverse_nothing((void *)count, q, dq, &out, &dout, whole.tape);
  CHECK("integer", whole.value, 7);
  CHECK("by what is beside it", dq[0], 8);

  Two two = __enzyme_augmentfwd_two((void *)both, 3.0f);
  CHECK("first of two", two.value.x, 9);
  CHECK("second of two", two.value.y, 9);
  CHECK("by two", __enzyme_reverse_float((void *)both, 3.0f, two.tape), 2 * 3 + 3);

  for (int order = 0; order < 4; order++) {
    double r[2] = {3, 5}, dr[2] = {0, 1};
    double *value, *shadow, weight = 2;
    void *tape;
    if (order == 0) {
      Last l = __enzyme_augmentfwd_last((void *)place, r, dr, 1);
      value = l.value.at, shadow = l.shadow.at, weight = l.value.weight, tape = l.tape;
    } else if (order == 1) {
      Between b = __enzyme_augmentfwd_between((void *)place, r, dr, 1);
      value = b.value.at, shadow = b.shadow.at, weight = b.value.weight, tape = b.tape;
    } else if (order == 2) {
      First f = __enzyme_augmentfwd_first((void *)place, r, dr, 1);
      value = f.value.at, shadow = f.shadow.at, weight = f.value.weight, tape = f.tape;
    } else {
      Pointers f = __enzyme_augmentfwd_pointers((void *)element, r, dr, 1);
      value = f.value, shadow = f.shadow, tape = f.tape;
    }
    CHECK_AT("place", order, *value, 25);
    CHECK_AT("its weight", order, weight, 2);
    CHECK_AT("its shadow", order, shadow - dr, 1);
    *value = 100;
    if (order == 3)
      __enzyme_reverse_nothing((void *)element, r, dr, 1, tape);
    else
      __enzyme_reverse_nothing((void *)place, r, dr, 1, tape);
    CHECK_AT("by place", order, dr[1], 10);
  }
  pointers(0);
  pointers(1);
  pairOfPointers();
  return finish();
}
