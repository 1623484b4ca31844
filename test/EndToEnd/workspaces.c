// Workspaces behind static pointers that outlive the call: allocated once, by the program or on first use.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 6 };
static double *work;
static int size;
static __attribute__((noinline)) double *workspace(int n) {
  if (!work || size < n) { free(work); work = malloc(n * sizeof(double)); size = n; }
  return work;
}
double lazy(double x, int n) {
  double *w = workspace(n);
  w[0] = x;
  for (int i = 1; i < n; i++) w[i] = w[i - 1] * x + sin(w[i - 1]);
  double s = 0;
  for (int i = 0; i < n; i++) s += w[i] * w[n - 1 - i];
  return s;
}
double lazyCopies(const double *x, int n) {
  double *w = workspace(2 * n), y[N];
  memcpy(w, x, n * sizeof *x);
  memcpy(w + n, w, n * sizeof *x);
  for (int i = 0; i < n; i++) w[n + i] *= w[i];
  memcpy(y, w + n, n * sizeof *x);
  memset(w + n, 0, sizeof(double));
  double s = 0;
  for (int i = 0; i < n; i++) s += y[i] * w[n + i] + y[i];
  return s;
}
static double **rows;
static void makeRows(void) { rows = malloc(3 * sizeof *rows); for (int i = 0; i < 3; i++) rows[i] = malloc(N * sizeof(double)); }
double matrix(double x) {
  for (int i = 0; i < 3; i++) for (int j = 0; j < N; j++) rows[i][j] = x * (i + 1) + j * x * x;
  double *t = rows[0]; rows[0] = rows[2]; rows[2] = t;
  double s = 0;
  for (int i = 0; i < 3; i++) for (int j = 0; j < N; j++) s += rows[i][j] * rows[(i + 1) % 3][j] * (i + 1);
  return s;
}
typedef struct Node { double v; struct Node *next; } Node;
static Node *head;
static void append(double v) { Node *n = malloc(sizeof *n); n->v = v; n->next = head; head = n; }
double scaleList(double x) {
  double s = 0;
  for (Node *k = head; k; k = k->next) k->v = k->v * 0 + x * 1.5;
  Node *first = malloc(sizeof *first);
  first->v = x * x; first->next = head; head = first;
  for (Node *k = head; k; k = k->next) s = s * x + k->v * k->v;
  head = first->next; free(first);
  return s;
}
struct { double *p; int n; float *q; } state;
double inStruct(double x) {
  for (int i = 0; i < state.n; i++) { state.p[i] = x * i; state.q[i] = x * x; }
  double s = 0;
  for (int i = 0; i < state.n; i++) s += state.p[i] * state.p[i] + state.q[i] * (i + 1);
  return s;
}
#define BOTH(NAME, F, ...) \
  CHECK(NAME, __enzyme_autodiff((void *)F, x __VA_ARGS__), SLOPE(x, F(x __VA_ARGS__))); \
  CHECK(NAME " jvp", __enzyme_fwddiff((void *)F, x, 1.0 __VA_ARGS__), SLOPE(x, F(x __VA_ARGS__)));
#define COMMA ,
int main(void) {
  double x = 0.8;
  double first = lazy(x, 700); // Allocates for all that follow.
  (void)first;
  BOTH("lazy", lazy, COMMA 4)
  BOTH("lazy", lazy, COMMA 6)
  double big = __enzyme_autodiff((void *)lazy, x, 700);
  CHECK("lazy big", __enzyme_fwddiff((void *)lazy, x, 1.0, 700) / big, 1);
  double v[N], d[N] = {0}, t[N];
  fill(v, N, 1, 1, 2); fill(t, N, 2, 1, 2);
  __enzyme_autodiff((void *)lazyCopies, v, d, N);
  for (int i = 0; i < N; i++) CHECK_AT("copies", i, d[i], SLOPE(v[i], lazyCopies(v, N)));
  CHECK("copies jvp", __enzyme_fwddiff((void *)lazyCopies, v, t, N), innerProduct(t, d, N));
  makeRows();
  BOTH("rows", matrix)
  BOTH("rows", matrix)
  append(1); append(2); append(3);
  BOTH("list", scaleList)
  state.p = malloc(4 * sizeof(double)); state.q = malloc(4 * sizeof(float)); state.n = 4;
  CHECK_FLOAT("struct", __enzyme_autodiff((void *)inStruct, x), 2 * x * 14 + 20 * x);
  CHECK_FLOAT("struct", __enzyme_fwddiff((void *)inStruct, x, 1.0), 2 * x * 14 + 20 * x);
  free(state.p); free(state.q); free(work);
  for (int i = 0; i < 3; i++) free(rows[i]);
  free(rows);
  while (head) { Node *k = head; head = k->next; free(k); }
  return finish();
}
