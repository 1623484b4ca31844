// Numbers in unions whose first member is an address: LLVM loads, stores, passes and returns them
// as pointers, and the gradient lacked them. Copies of the whole, swaps, members, values that
// functions take and return, a stack machine, and an explicit move through the address.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --keep=plan --flag=-fno-strict-aliasing --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1 --keep=plan --flag=-fno-inline --flag=-g --flag=-I%S/../EndToEnd %s
#include "check.h"
#define APART __attribute__((noinline))
typedef union {
  void *address;
  double number;
} cell;
typedef struct {
  enum { NUMBER, TEXT } kind;
  cell c;
} value;

double whole(const double *x, int k) {
  cell a[4], t;
  for (int i = 0; i < 4; i++)
    a[i].number = x[i] * x[i];
  t = a[k], a[k] = a[0], a[0] = t;
  return a[0].number + 3 * a[k].number;
}
double elements(const double *x, int k) {
  value a[4], t;
  for (int i = 0; i < 4; i++)
    a[i].c.number = x[i] * x[i], a[i].kind = NUMBER;
  t = a[k], a[k] = a[0], a[0] = t;
  return a[0].c.number + 3 * a[k].c.number;
}
static APART void swap(cell *a, cell *b) {
  cell t = *a;
  *a = *b, *b = t;
}
double swapped(const double *x, int k) {
  cell a[4];
  for (int i = 0; i < 4; i++)
    a[i].number = x[i] * x[i];
  swap(a, a + k);
  return a[0].number + 3 * a[k].number;
}
static APART cell sum(cell a, cell b) {
  cell c;
  c.number = a.number + 2 * b.number;
  return c;
}
static APART cell take(const value *from, int k) { return from[k].c; }
double byValue(const double *x, int k) {
  value a[4];
  for (int i = 0; i < 4; i++)
    a[i].c.number = x[i] * x[i];
  return sum(take(a, 0), take(a, k)).number;
}

// Through the address, on purpose.
static APART void *get(const cell *from) { return from->address; }
static APART void put(cell *to, void *address) { to->address = address; }
double explicitly(const double *x, int k) {
  cell a[8], b;
  for (int i = 0; i < 4; i++)
    a[i].number = x[i] * x[i];
  for (int i = 0; i < 4; i++)
    a[4 + i].address = i % 2 ? a[3 - i].address : a[i / 2].address;
  put(&b, get(&a[4 + k]));
  return b.number + a[7].number;
}

// y - x^2 + x y^2 on a stack of values.
typedef struct {
  value at[16];
  int top;
} stack;
static APART void push(stack *s, value v) { s->at[s->top++] = v; }
static APART value pop(stack *s) { return s->at[--s->top]; }
static APART value number(double x) {
  value v;
  v.kind = NUMBER, v.c.number = x;
  return v;
}
static APART void binary(stack *s, char op) {
  value b = pop(s), a = pop(s);
  push(s, number(op == '+'   ? a.c.number + b.c.number
                 : op == '*' ? a.c.number * b.c.number
                             : a.c.number - b.c.number));
}
static APART void again(stack *s) {
  value v = pop(s);
  push(s, v), push(s, v);
}
static APART void exchange(stack *s) {
  value a = pop(s), b = pop(s);
  push(s, a), push(s, b);
}
double run(const double *x, int count) {
  static const char *const program = "xd*ys-yd*x*+";
  stack s;
  s.top = 0;
  for (const char *code = program; *code; code += count)
    switch (*code) {
    case 'x': push(&s, number(x[0])); break;
    case 'y': push(&s, number(x[1])); break;
    case 'd': again(&s); break;
    case 's': exchange(&s); break;
    default: binary(&s, *code);
    }
  return pop(&s).c.number;
}

// Of what is moved, some is also made of a float that is known, or by a function that hands on
// what it is given.
static APART value pick(const value *from, int k) { return from[k]; }
static APART double in(value v) { return v.kind == NUMBER ? v.c.number : 0.5; }
double picked(const double *x, int n) {
  value v[3], t;
  for (int i = 0; i < 3; i++)
    v[i] = number(x[i]);
  t = v[n % 3];
  if (n % 3 == 0) {
    v[2 * n % 3] = pick(v, 1);
    t = number(0.5 * in(t));
  }
  v[n % 2].c = t.c;
  return 0.3 * in(pick(v, (4 * n + 1 + 2 * n) % 3));
}
double handedOn(const double *x, int unused) {
  double a[3] = {4, 0.6 * x[0], 0.8}, s = 0.1;
  value v[3];
  for (int i = 0; i < 3; i++)
    v[i] = number(a[1]);
  s = 0.5 * s + 0.3 * in(pick(v, 2));
  return s;
}
// The value that a derivative computes beside its tangent.
double constants(const double *x, double *y, int n) {
  double s = 0.1;
  if (n % 3 == 2) {
    value v[3];
    for (int i = 0; i < 3; i++)
      v[i] = number(1);
    s = 0.5 * s + 0.3 * in(pick(v, n % 3));
  }
  *y = s * x[0];
  return s;
}
double tangent(const double *x, const double *t, double *y, double *dy, int n) {
  return __enzyme_fwddiff((void *)constants, enzyme_dup, x, t, enzyme_dup, y, dy, n);
}

int main(int argc, char **argv) {
  double x[4] = {1.5, -0.5, 2.5, 0.75}, t[4] = {1, -2, 0.5, 3};
  int k = argc + 1;
  CHECK_FUNCTION(whole, 4, x, t, k);
  CHECK_FUNCTION(elements, 4, x, t, k);
  CHECK_FUNCTION(swapped, 4, x, t, k);
  CHECK_FUNCTION(byValue, 4, x, t, k);
  CHECK_FUNCTION(explicitly, 4, x, t, k);
  CHECK_FUNCTION(run, 2, x, t, argc);
  for (int n = 1; n < 7; n++)
    CHECK_FUNCTION(picked, 3, x, t, n);
  CHECK_FUNCTION(handedOn, 1, x, t, k);
  double y = 0, dy = 0, byT[4] = {0}, byY = 0, byDy = 1;
  tangent(x, t, &y, &dy, k);
  CHECK("value beside its tangent", y, 0.35 * x[0]);
  y = 0;
  __enzyme_autodiff((void *)tangent, enzyme_const, x, enzyme_dup, t, byT, enzyme_dup, &y, &byY,
                    enzyme_dup, &dy, &byDy, k);
  CHECK("value in a second derivative", y, 0.35 * x[0]);
  CHECK("second derivative", byT[0], 0.35);
  return finish();
}
