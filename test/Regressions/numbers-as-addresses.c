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

int main(int argc, char **argv) {
  double x[4] = {1.5, -0.5, 2.5, 0.75}, t[4] = {1, -2, 0.5, 3};
  int k = argc + 1;
  CHECK_FUNCTION(whole, 4, x, t, k);
  CHECK_FUNCTION(elements, 4, x, t, k);
  CHECK_FUNCTION(swapped, 4, x, t, k);
  CHECK_FUNCTION(byValue, 4, x, t, k);
  CHECK_FUNCTION(explicitly, 4, x, t, k);
  CHECK_FUNCTION(run, 2, x, t, argc);
  return finish();
}
