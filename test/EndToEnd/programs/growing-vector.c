// A vector that grows by realloc while numbers are pushed; peaks of a signal are collected in it.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double *items;
  size_t count, capacity;
} Vector;

static int push(Vector *v, double item) {
  if (v->count == v->capacity) {
    size_t capacity = v->capacity ? 2 * v->capacity : 4;
    double *items = realloc(v->items, capacity * sizeof *items);
    if (!items)
      return 0;
    v->items = items;
    v->capacity = capacity;
  }
  v->items[v->count++] = item;
  return 1;
}
static double pop(Vector *v) { return v->items[--v->count]; }

/* The product of neighbouring peaks, summed. */
double peaks(const double *signal, int n) {
  Vector v = {NULL, 0, 0};
  double sum = 0;
  for (int i = 1; i + 1 < n; i++)
    if (signal[i] > signal[i - 1] && signal[i] > signal[i + 1])
      if (!push(&v, signal[i] * signal[i]))
        goto out;
  for (size_t i = 0; i + 1 < v.count; i++)
    sum += v.items[i] * v.items[i + 1];
out:
  free(v.items);
  return sum;
}

/* A stack machine: numbers are pushed, operators combine the two on top. */
double machine(const char *program, const double *x) {
  Vector stack = {0};
  for (; *program; program++) {
    if (*program >= 'a')
      push(&stack, x[*program - 'a']);
    else {
      double b = pop(&stack), a = pop(&stack);
      push(&stack, *program == '+' ? a + b : *program == '*' ? a * b : a - b);
    }
  }
  double result = pop(&stack);
  free(stack.items);
  return result;
}

enum { N = 40 };

int main(void) {
  double s[N], t[N], d[N] = {0}, e[5] = {0};
  fill(s, N, 21, -1, 1);
  fill(t, N, 22, -1, 1);
  __enzyme_autodiff((void *)peaks, s, d, N);
  CHECK_SLOPES_WITHIN(1e-3, "signal", N, s, d, peaks(s, N));
  CHECK_FORWARD("peaks", __enzyme_fwddiff((void *)peaks, s, t, N), N, t, d);

  const char *program = "abcde*+*-aa*bb*+c*de-*+";
  __enzyme_autodiff((void *)machine, enzyme_const, program, s, e);
  CHECK_SLOPES("x", 5, s, e, machine(program, s));
  CHECK_FORWARD("machine", __enzyme_fwddiff((void *)machine, enzyme_const, program, s, t), 5, t, e);
  return finish();
}
