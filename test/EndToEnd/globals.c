// Global and static variables that hold differentiated data: numbers, arrays, pointers, tables of pointers.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 5 };

// Between functions that are not inlined.
static double last;
static double buf[8];
double work[4] = {1, 2, 3, 4};
static __attribute__((noinline)) void put(double x) { last = x * x; buf[1] += last * x; }
static __attribute__((noinline)) double get(void) { return last * buf[1] + work[2]; }
double viaCalls(double x) {
  buf[1] = 2;
  put(x);
  work[2] = work[1] * x;
  return get() * x;
}
double counter(double x, int n) {
  static double sum;
  sum = 0;
  for (int i = 0; i < n; i++) sum = sum * 0.5 + x * i;
  return sum * sum;
}
// Static pointers to static buffers, swapped by each call.
static double bufferA[N], bufferB[N];
static double *now = bufferA, *next = bufferB;
static void advance(double k) {
  for (int i = 0; i < N; i++) next[i] = now[i] + k * (now[(i + 1) % N] - now[i]) * now[i];
  double *t = now; now = next; next = t;
}
double pingpong(double x) {
  for (int i = 0; i < N; i++) now[i] = x * (i + 1);
  for (int s = 0; s < 3; s++) advance(0.1 * x);
  double sum = 0;
  for (int i = 0; i < N; i++) sum += now[i] * i;
  return sum;
}
// A static pointer to memory of this call.
static double *buffer;
static __attribute__((noinline)) void putAt(int i, double v) { buffer[i] = v; }
double heap(double x) {
  buffer = malloc(N * sizeof(double));
  for (int i = 0; i < N; i++) putAt(i, sin(x * i));
  double sum = 0;
  for (int i = 0; i < N; i++) sum += buffer[i] * buffer[N - 1 - i];
  free(buffer);
  return sum;
}
// A list headed by a static pointer.
typedef struct Node { double v; struct Node *next; } Node;
static Node *head;
static __attribute__((noinline)) void push(double v) {
  Node *n = malloc(sizeof *n);
  n->v = v; n->next = head; head = n;
}
double list(double x, int n) {
  head = 0;
  for (int i = 0; i < n; i++) push(x * x + i);
  double p = 1;
  for (Node *k = head; k; k = k->next) p = p * 0.5 + k->v * k->v;
  while (head) { Node *k = head; head = k->next; free(k); }
  return p;
}
// tables of pointers
static double r0[2], r1[2] = {1, 2};
static double *const rows[2] = {r0, r1};
static double *mutableRows[2] = {r1, r0};
struct S { int n; double *p; } s = {3, r0};
double tables(double x, int i) {
  r0[0] = r0[1] = 1; r1[0] = 1; r1[1] = 2;
  rows[i & 1][0] = x * x;
  mutableRows[i & 1][1] = x * 3;
  s.p[1] += rows[0][0] * x;
  return r0[0] * r1[1] + r0[1] * rows[1][0] + r1[1] * r1[1] + r0[1] * x;
}
static _Thread_local double tls;
double threads(double x) { tls = x * x; tls *= x; return tls + tls * tls; }
// A table that was allocated before: it is constant.
static double *weights;
double weighted(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += weights[i] * x[i] * x[i];
  return sum;
}
// A workspace that is kept from call to call, and passed on.
static double workspace[N][N];
static __attribute__((noinline)) void multiply(double out[N], double m[N][N], const double *v) {
  for (int i = 0; i < N; i++) {
    out[i] = 0;
    for (int j = 0; j < N; j++)
      out[i] += m[i][j] * v[j];
  }
}
double power(const double *x, int n) {
  double v[N], w[N], sum = 0;
  for (int i = 0; i < N; i++) {
    v[i] = 1;
    for (int j = 0; j < N; j++)
      workspace[i][j] = x[(i + j) % n] * (1 + i);
  }
  for (int k = 0; k < 3; k++) {
    multiply(w, workspace, v);
    memcpy(v, w, sizeof v);
  }
  for (int i = 0; i < N; i++)
    sum += v[i] / 100;
  return sum;
}
// Marked inactive: what is read has derivative zero.
static volatile double cache __attribute__((annotate("enzyme_inactive")));
static __attribute__((noinline)) void remember(double x) { cache = x; }
double through(double x) {
  remember(x * x);
  return cache * x;
}
volatile double seen_enzyme_const;
static __attribute__((noinline)) void see(double x) { seen_enzyme_const = x; }
double named(double x) {
  see(x * x);
  return seen_enzyme_const * x;
}
// A stack that grows downwards from the end of an array; a neighbour that has no derivative.
static double stack[8], neighbour[2] = {7, 8};
static double *top = stack + 8;
static const double *coefficients = neighbour;
static void pushNumber(double v) { *--top = v; }
static double popNumber(void) { return *top++; }
double calculator(double x) {
  pushNumber(x);
  pushNumber(x * x);
  double product = popNumber();
  product *= popNumber();
  pushNumber(product);
  pushNumber(3 * x);
  double sum = popNumber();
  sum += popNumber() * coefficients[0];
  return sum;
}
typedef struct {
  double a, b;
} Two;
Two __enzyme_fwddiff_two(void *, ...);

#define BOTH(NAME, F, ...)                                                                         \
  CHECK(NAME, __enzyme_autodiff((void *)F, x __VA_ARGS__), SLOPE(x, F(x __VA_ARGS__)));            \
  CHECK(NAME " jvp", __enzyme_fwddiff((void *)F, x, 1.0 __VA_ARGS__), SLOPE(x, F(x __VA_ARGS__)));
#define COMMA ,

int main(void) {
  double x = 0.7;
  for (int again = 0; again < 2; again++) { // What is left behind does not matter.
    BOTH("calls", viaCalls)
    BOTH("counter", counter, COMMA 5)
    BOTH("pingpong", pingpong)
    BOTH("heap", heap)
    BOTH("list", list, COMMA 4)
    BOTH("tables", tables, COMMA 0)
    BOTH("tables", tables, COMMA 1)
    BOTH("threads", threads)
    BOTH("stack", calculator)
  }
  weights = malloc(3 * sizeof(double));
  fill(weights, 3, 1, -1, 1);
  double v[3] = {1, 2, 3}, dv[3] = {0};
  __enzyme_autodiff((void *)weighted, v, dv, 3);
  for (int i = 0; i < 3; i++)
    CHECK_AT("weighted", i, dv[i], 2 * weights[i] * v[i]);
  free(weights);
  double dw[3] = {0}, t[3] = {1, -1, 2};
  __enzyme_autodiff((void *)power, v, dw, 3);
  for (int i = 0; i < 3; i++)
    CHECK_AT("power", i, dw[i], SLOPE(v[i], power(v, 3)));
  CHECK("power jvp", __enzyme_fwddiff((void *)power, v, t, 3), innerProduct(t, dw, 3));
  CHECK("marked", __enzyme_autodiff((void *)through, x), x * x);
  CHECK("named", __enzyme_fwddiff((void *)named, x, 1.0), x * x);
  // Two directions at once have a shadow each.
  Two lanes = __enzyme_fwddiff_two((void *)list, enzyme_width, 2, enzyme_dup, x, 1.0, 2.0, enzyme_const, 4);
  CHECK("lanes", lanes.a, SLOPE(x, list(x, 4)));
  CHECK("lanes", lanes.b, 2 * SLOPE(x, list(x, 4)));
  return finish();
}
