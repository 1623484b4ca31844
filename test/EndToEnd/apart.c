// Functions that are not inlined, with buffers that nobody else knows, and with such that somebody
// does: what they read is not kept where their own stores cannot have changed it.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 6 };
#define NOINLINE static __attribute__((noinline))

// A recurrent cell: state changes, weights and input do not.
NOINLINE double weighted(const double *w, const double *in, const double *state, int n) {
  double sum = w[n];
  for (int i = 0; i < n; i++)
    sum += w[i] * in[i] * state[i];
  return sum;
}
NOINLINE void cell(const double *w, const double *in, double *state, int n) {
  double add[N];
  for (int i = 0; i < n; i++)
    add[i] = tanh(weighted(w, in, state, n) + w[i]);
  for (int i = 0; i < n; i++)
    state[i] = 0.5 * state[i] + add[i] * in[i];
}
static double sequence(const double *x, int n) {
  double state[N] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  for (int s = 0; s < 3; s++)
    cell(x, x + s, state, n);
  return weighted(x, state, state, n);
}

// The weights are the state, or a part of it further on.
static double itself(const double *x, int n) {
  double state[2 * N];
  for (int i = 0; i < 2 * N; i++)
    state[i] = x[i % N];
  cell(state, x, state, n);
  cell(state + 2, x, state, n);
  cell(x, state + 1, state, n);
  return weighted(x, state, state + n, n - 1);
}

// Two functions below: the buffer goes on as an argument.
NOINLINE double twice(double *buffer, const double *x, int n) {
  double sum = 0;
  for (int s = 0; s < 2; s++) {
    cell(x, x + 1, buffer, n);
    sum += weighted(x, buffer, buffer, n);
  }
  cell(buffer, x, buffer, n);
  return sum + buffer[1];
}
static double handedOn(const double *x, int n) {
  double *buffer = calloc(n + 1, sizeof(double));
  double result = twice(buffer, x, n);
  free(buffer);
  return result;
}

// The buffer is known elsewhere: in a structure, and by what a function returns.
struct Book {
  double *page;
};
NOINLINE void through(struct Book *book, double *out, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    double read = book->page[i] * x[i];
    out[(i + 1) % n] = read * read;
  }
}
static double booked(const double *x, int n) {
  double page[N];
  for (int i = 0; i < n; i++)
    page[i] = x[i];
  struct Book book = {page};
  through(&book, page, x, n);
  return weighted(x, page, page, n - 1);
}
NOINLINE double *chosen(double *p, int at) { return at % 2 ? p + 1 : p; }
NOINLINE void byChoice(double *out, const double *x, int n) {
  double *to = chosen(out, n);
  for (int i = 0; i + 1 < n; i++)
    to[i] = out[i] * out[i + 1] * x[i];
}
static double choices(const double *x, int n) {
  double page[N];
  for (int i = 0; i < n; i++)
    page[i] = x[i];
  byChoice(page, x, n);
  byChoice(page, x, n - 1);
  return weighted(x, page, page, n - 1);
}

// It calls itself, with the buffers exchanged, and once with one for both.
NOINLINE void down(double *a, double *b, const double *x, int n, int depth) {
  for (int i = 0; i < n; i++)
    a[i] += 0.3 * b[i] * b[i] * x[i];
  if (depth > 0)
    down(b, depth == 2 ? b : a, x, n, depth - 1);
}
static double recursive(const double *x, int n) {
  double a[N] = {1, 1, 1, 1, 1, 1}, b[N] = {0.5, 0.4, 0.3, 0.2, 0.1, 0.6};
  down(a, b, x, n, 3);
  return weighted(x, a, b, n - 1);
}

int main(void) {
  double x[2 * N], v[2 * N];
  fill(x, 2 * N, 1, 0.2, 1.1);
  fill(v, 2 * N, 2, -1, 1);
  CHECK_FUNCTION(sequence, 2 * N, x, v, N - 1);
  CHECK_FUNCTION(itself, 2 * N, x, v, N - 1);
  CHECK_FUNCTION(handedOn, 2 * N, x, v, N);
  CHECK_FUNCTION(booked, 2 * N, x, v, N);
  CHECK_FUNCTION(choices, 2 * N, x, v, N);
  CHECK_FUNCTION(recursive, 2 * N, x, v, N);
  return finish();
}
