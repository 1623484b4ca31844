// Floats whose bits are kept in members that are declared as integers, of elements of arrays: the
// member's own type was believed in functions that are not inlined, and the gradient lacked them.
// Where they only move, they are right; beside them, members that are integers stay integers, and
// so do arrays of integers in one record with arrays of floats.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// An array of integers in a record, which a function turns round.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2,-O3 --flag=-DCELLS --flag=-I%S/../EndToEnd %s
// Through a parameter or result that is an integer, or integer arithmetic, they are an error.
// RUN: not %clang -w -O1 -DBOXED -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O1 -DBOXED -fno-strict-aliasing -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -DBOXED -g -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
#include "bits.h"
#include "check.h"
#define APART __attribute__((noinline))
struct box {
  uint64_t bits;
  int tag;
};
static APART void swapBoxes(struct box *a, struct box *b) {
  uint64_t other = a->bits;
  a->bits = b->bits;
  b->bits = other;
  a->tag++;
}
double swapped(const double *x, int n) {
  struct box a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i].bits = bitsOf(x[i] * 2), a[i].tag = 1;
  for (int i = 0; i < n / 2; i++)
    swapBoxes(a + i, a + n - 1 - i);
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i].bits) * ofBits(a[i].bits) * i;
  return sum;
}
static APART void sortBoxes(struct box *a, int n) {
  for (int i = 1; i < n; i++) {
    struct box moved = a[i];
    int k = i;
    for (; k && a[k - 1].bits > moved.bits; k--)
      a[k] = a[k - 1];
    a[k] = moved;
  }
}
// The bits of positive floats have the order of the floats.
double sorted(const double *x, int n) {
  struct box a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i].bits = bitsOf(x[i] * x[i]), a[i].tag = i;
  sortBoxes(a, n);
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i].bits) * (i + 10 * a[i].tag);
  return sum;
}
struct row {
  double values[6];
  long columns[6];
  long used;
};
static APART void put(struct row *r, long column, double value) {
  r->columns[r->used] = column;
  r->values[r->used++] = value;
}
static APART void exchange(struct row *r, int i, int k) {
  long column = r->columns[i];
  double value = r->values[i];
  r->columns[i] = r->columns[k], r->values[i] = r->values[k];
  r->columns[k] = column, r->values[k] = value;
}
static APART void shift(struct row *r) {
  for (int k = 0; k < r->used; k++)
    r->columns[k] = (r->columns[k] + 1) & 3;
}
static APART double product(const struct row *r, const double *x) {
  double sum = 0;
  for (int k = 0; k < r->used; k++)
    sum += r->values[k] * x[r->columns[k]];
  return sum;
}
double rows(const double *x, int n) {
  struct row r[8];
  double sum = 0;
  for (int i = 0; i < n; i++) {
    r[i].used = 0;
    put(r + i, i, x[i]);
    put(r + i, i + 1, 2 * x[i]);
    exchange(r + i, 0, 1);
    shift(r + i);
    sum += product(r + i, x);
  }
  return sum;
}
// One operation on the sign, from memory to memory, is one on a float.
static APART void flip(struct box *b) { b->bits ^= 1ull << 63; }
double flipped(const double *x, int n) {
  struct box a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i].bits = bitsOf(x[i] * 2), a[i].tag = 1;
  for (int i = 0; i < n; i++)
    flip(a + i);
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i].bits) * i;
  return sum;
}
#ifdef CELLS
struct cells {
  uint64_t of[8];
  double sum;
};
static APART void keep(struct cells *c, int k, double x) {
  memcpy(&c->of[k], &x, 8);
  c->sum += x;
}
static APART double take(struct cells *c, int k) {
  double x = ofBits(c->of[k]);
  c->of[k] = 0;
  return x;
}
static APART void turn(struct cells *c) {
  uint64_t first = c->of[0];
  for (int k = 0; k < 7; k++)
    c->of[k] = c->of[k + 1];
  c->of[7] = first;
}
double turned(const double *x, int n) {
  struct cells c = {{0}, 0};
  for (int i = 0; i < n; i++)
    keep(&c, i, x[i] * x[i]);
  turn(&c);
  double sum = c.sum;
  for (int i = 0; i < n; i++)
    sum += i * take(&c, i);
  return sum;
}
#endif
#ifdef BOXED
static APART void store(struct box *b, uint64_t v) { b->bits = v, b->tag = 1; }
static APART uint64_t load(const struct box *b) { return b->tag ? b->bits : 0; }
double stored(const double *x, int n) {
  struct box a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    store(a + i, bitsOf(x[i] * 2));
  for (int i = 0; i < n; i++)
    sum += ofBits(a[i].bits) * i;
  return sum;
}
double loaded(const double *x, int n) {
  struct box a[8];
  double sum = 0;
  for (int i = 0; i < n; i++)
    a[i].bits = bitsOf(x[i] * 2), a[i].tag = 1;
  for (int i = 0; i < n; i++)
    sum += ofBits(load(a + i)) * i;
  return sum;
}
typedef struct {
  int isFloat;
  union {
    double f;
    int64_t i;
  };
} Value;
static APART Value ofFloat(double f) { return (Value){1, {.f = f}}; }
static APART Value ofInteger(int64_t i) { return (Value){0, {.i = i}}; }
static APART double number(const Value *v) { return v->isFloat ? v->f : (double)v->i; }
static APART Value added(Value a, Value b) {
  return a.isFloat || b.isFloat ? ofFloat(number(&a) + number(&b)) : ofInteger(a.i + b.i);
}
double interpreted(const double *x, int n) {
  Value sum = ofInteger(0);
  for (int i = 0; i < n; i++)
    sum = added(sum, i & 1 ? ofFloat(x[i] * x[i]) : ofInteger(i));
  return number(&sum);
}
struct halves {
  uint32_t of[2];
  int tag;
};
static APART void copyHalves(struct halves *to, const struct halves *from) {
  to->of[0] = from->of[0];
  to->of[1] = from->of[1];
  to->tag = from->tag;
}
double inHalves(const double *x, int n) {
  struct halves a[8], b[8];
  double sum = 0, kept;
  for (int i = 0; i < n; i++)
    kept = x[i] * x[i], memcpy(a[i].of, &kept, 8), a[i].tag = 1;
  for (int i = 0; i < n; i++)
    copyHalves(b + i, a + n - 1 - i);
  for (int i = 0; i < n; i++)
    memcpy(&kept, b[i].of, 8), sum += kept * i;
  return sum;
}
// CHECK-DAG: argument 2 {{.*}}of 'store' carries a floating-point number in an integer
// CHECK-DAG: the result of 'load' carries a floating-point number in an integer
// CHECK-DAG: of 'added' carries a floating-point number in an integer
// CHECK-DAG: what is moved here may be a differentiated float, or else an address or an integer
// CHECK: 4 errors generated
void boxes(const double *x, double *d) {
  __enzyme_autodiff((void *)stored, x, d, 5);
  __enzyme_autodiff((void *)loaded, x, d, 5);
  __enzyme_autodiff((void *)interpreted, x, d, 5);
  __enzyme_autodiff((void *)inHalves, x, d, 5);
}
#endif
int main(void) {
  double x[7] = {1.1, 0.7, -0.4, 0.9, 1.3, 2.1, -0.2};
  double t[7] = {0.3, -1, 0.5, 0.2, 0.1, -0.7, 1};
#ifndef BOXED
  CHECK_FUNCTION(swapped, 7, x, t, 7);
  CHECK_FUNCTION(sorted, 7, x, t, 7);
  CHECK_FUNCTION(rows, 4, x, t, 4);
  CHECK_FUNCTION(flipped, 7, x, t, 7);
#endif
#ifdef CELLS
  CHECK_FUNCTION(turned, 7, x, t, 7);
#endif
  return finish();
}
