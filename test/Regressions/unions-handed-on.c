// Functions that are not inlined take and return unions as their first member, a double, where
// these may hold an address: its shadow stayed behind, and the derivative by what it leads to went
// elsewhere, or the program crashed. Such a double goes through memory now, as an integer.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2,-O3 --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#define APART __attribute__((noinline))

union word {
  double number;
  double *address;
};
static APART void put(union word *to, double v) { to->number = v; }

struct cell {
  int leads;
  union word w;
};
static APART double read(const struct cell *c) { return c->leads ? *c->w.address : c->w.number; }

static double copied(double *x) {
  struct cell cells[4];
  union word words[4];
  for (int i = 0; i < 4; i++) {
    cells[i].leads = i & 1;
    if (i & 1)
      words[i].address = x + i - 1;
    else
      words[i].number = x[i] * 2;
  }
  for (int i = 0; i < 4; i++)
    put(&cells[i].w, words[i].number);
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * read(cells + i) * read(cells + (i + 3) % 4);
  return sum;
}

struct machine {
  union word stack[16];
  int top;
};
static APART void push(struct machine *m, double v) { put(&m->stack[m->top++], v); }
static APART double pop(struct machine *m) { return m->stack[--m->top].number; }
static APART void push_address(struct machine *m, double *p) { m->stack[m->top++].address = p; }
static APART double *pop_address(struct machine *m) { return m->stack[--m->top].address; }

enum { REF0, REF1, REF2, LOAD, STORE, ADD, MUL, SIN, DUP, SWAP, END };

static double run(const int *code, double *x) {
  struct machine m;
  double a, b, *p;
  m.top = 0;
  for (;; code++)
    switch (*code) {
    case REF0:
    case REF1:
    case REF2:
      push_address(&m, x + (*code - REF0));
      break;
    case LOAD:
      p = pop_address(&m);
      push(&m, *p);
      break;
    case STORE:
      p = pop_address(&m);
      *p = pop(&m);
      break;
    case ADD:
      b = pop(&m);
      push(&m, pop(&m) + b);
      break;
    case MUL:
      b = pop(&m);
      push(&m, pop(&m) * b);
      break;
    case SIN:
      push(&m, __builtin_sin(pop(&m)));
      break;
    case DUP: // Of a number, or of an address.
      a = pop(&m);
      push(&m, a);
      push(&m, a);
      break;
    case SWAP:
      b = pop(&m);
      a = pop(&m);
      push(&m, b);
      push(&m, a);
      break;
    default:
      return pop(&m);
    }
}

static double computed(double *x) {
  static const int code[] = {REF0, DUP,  LOAD,  SWAP, LOAD, MUL, REF1, LOAD, ADD, SIN,
                             DUP,  REF2, STORE, REF2, LOAD, MUL, REF1, LOAD, ADD, END};
  double y[3] = {x[0], x[1], x[2]};
  return run(code, y) + y[2] * x[2];
}

#define TEST(F)                                                                                    \
  do {                                                                                             \
    double dx[4] = {0};                                                                            \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx);                                               \
    for (int i = 0; i < 4; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE(x[i], F(x)));                                                   \
  } while (0)

int main(void) {
  double x[4] = {0.3, 0.9, -0.4, 0.7};
  TEST(copied);
  TEST(computed);
  return finish();
}
