// A function that only allocates, or only releases, does not see that the memory holds integers.
// Its callers do, so that all agree that it has no shadow: one that is made is released, once.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#include <malloc.h>
#define NOINLINE __attribute__((noinline))

struct row {
  double v;
  int n;
  void *data;
};
static NOINLINE void allocate(struct row *r, int n) {
  r->n = n;
  r->data = malloc(n * sizeof(int));
}
static NOINLINE void number(struct row *r) {
  for (int i = 0; i < r->n; i++)
    ((int *)r->data)[i] = i * i;
}
static NOINLINE void make(struct row *r, int n) {
  r->n = n;
  r->data = malloc(n * sizeof(int));
  number(r);
}
static NOINLINE int sum(struct row *r) {
  int s = 0;
  for (int i = 0; i < r->n; i++)
    s += ((int *)r->data)[i];
  return s;
}
static NOINLINE void drop(struct row *r) {
  r->v *= sum(r);
  free(r->data);
}
static NOINLINE void release(struct row *r) {
  r->v *= 3;
  free(r->data);
}
double left(double x, int n) {
  struct row r = {x, 0, 0};
  allocate(&r, n);
  number(&r);
  drop(&r);
  return r.v * x;
}
double twice(double x, int n) {
  struct row r = {x, 0, 0};
  for (int k = 0; k < 2; k++) {
    allocate(&r, n);
    number(&r);
    r.v += sum(&r);
    release(&r);
    make(&r, n);
    r.v *= sum(&r);
    release(&r);
  }
  return r.v * x;
}
#define GRADIENT(F) __enzyme_autodiff((void *)F, x, n)
#define TANGENT(F) __enzyme_fwddiff((void *)F, x, 1.0, n)
int main(void) {
  double x = 0.7;
  for (int n = 1; n < 4; n++) {
    CHECK("left", GRADIENT(left), SLOPE(x, left(x, n)));
    CHECK("left", TANGENT(left), SLOPE(x, left(x, n)));
    CHECK("twice", GRADIENT(twice), SLOPE(x, twice(x, n)));
    CHECK("twice", TANGENT(twice), SLOPE(x, twice(x, n)));
  }
  int n = 3;
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 100; i++)
    x = 0.7 + 1e-9 * (GRADIENT(left) + TANGENT(left) + GRADIENT(twice) + TANGENT(twice));
  CHECK("leaked", mallinfo2().uordblks - before > 64, 0);
  return finish();
}
