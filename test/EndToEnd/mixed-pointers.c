// One pointer that leads to differentiated memory or to memory marked enzyme_const.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 4 };
double pick(const double *a, const double *b, int first) {
  const double *p = first ? a : b;
  return *p * *p + a[0] * b[1];
}
double store(double *a, double *scratch, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double *p = i % 2 ? a : scratch;
    double v = p[i] * p[i];
    p[i] = v + a[0];
    sum += v * a[i];
  }
  return sum + a[1] * a[3];
}
static __attribute__((noinline)) double dot(const double *p, const double *q, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += p[i] * q[i];
  return s;
}
double calls(const double *a, const double *b, int which) {
  return dot(which & 1 ? a : b, which & 2 ? a : b, N);
}
double inMemory(const double *a, const double *b, int n) {
  const double *rows[4];
  for (int i = 0; i < 4; i++) rows[i] = i % 2 ? a : b;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += rows[i % 4][i % N] * rows[(i + 1) % 4][(i * 3) % N];
  return s;
}
double copies(const double *a, const double *b, int which) {
  double local[N];
  memcpy(local, which ? a : b, sizeof local);
  double s = 0;
  for (int i = 0; i < N; i++) s += local[i] * a[i];
  return s;
}
typedef struct { const double *p; double w; } Item;
static __attribute__((noinline)) double items(const Item *it, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += it[i].w * it[i].p[i] * it[i].p[0];
  return s;
}
double structs(const double *a, const double *b, int n) {
  Item it[3] = {{a, 1.5}, {b, a[1]}, {a + 1, b[2]}};
  Item copy[3];
  memcpy(copy, it, sizeof it);
  return items(copy, n);
}
static const double table[N] = {1, 2, 3, 4};
double constants(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double *p = i % 3 == 0 ? a : i % 3 == 1 ? table : b;
    sum += p[i % N] * p[0] * a[1];
  }
  return sum;
}
// Written through the pointer, in bulk and one by one; a list whose end is constant.
double cleared(double *a, double *b, int which) {
  double local[N] = {1, 2, 3, 4};
  double *p = which == 0 ? a : which == 1 ? b : local;
  double first = p[0] * a[1];
  memset(p, 0, 2 * sizeof(double));
  if (which != 1) // What is stored in b is constant from then on.
    p[3] = a[2] * a[2];
  double whole;
  double part = modf(a[3] * 3, which == 1 ? &b[2] : &whole);
  return first + p[2] * a[0] + a[1] * p[3] + a[3] + part;
}
typedef struct Node {
  const double *v;
  struct Node *next;
} Node;
double chain(const double *a, const double *b, int n) {
  Node *head = 0;
  for (int i = 0; i <= n; i++) {
    Node *k = malloc(sizeof *k);
    k->v = (i & 1 ? a : b) + i % N;
    k->next = head;
    head = k;
  }
  double product = 1;
  while (head) {
    Node *k = head;
    product = product * 0.5 + *k->v * *k->v;
    head = k->next;
    free(k);
  }
  return product;
}
#define RUN(NAME, F, LAST)                                                                         \
  for (int k = 0; k < LAST; k++) {                                                                 \
    double a[N], b[N], d[N] = {0}, t[N], keep[N];                                                  \
    fill(a, N, 1, 1, 2); fill(b, N, 2, 1, 2); fill(t, N, 3, 1, 2);                                 \
    memcpy(keep, b, sizeof b);                                                                     \
    __enzyme_autodiff((void *)F, enzyme_dup, a, d, enzyme_const, b, k);                            \
    for (int i = 0; i < N; i++) {                                                                  \
      double aa[N], bb[N], h = 0, slopes[4], step = 1e-2;                                          \
      for (int l = 0; l < 4; l++, step /= 2) {                                                     \
        fill(aa, N, 1, 1, 2); memcpy(bb, keep, sizeof bb); aa[i] += step; h = F(aa, bb, k);        \
        fill(aa, N, 1, 1, 2); memcpy(bb, keep, sizeof bb); aa[i] -= step; h -= F(aa, bb, k);       \
        slopes[l] = h / (2 * step);                                                                \
      }                                                                                            \
      CHECK_AT(NAME, 10 * k + i, d[i], romberg(slopes));                                           \
      d[i] = romberg(slopes);                                                                      \
    }                                                                                              \
    fill(a, N, 1, 1, 2); memcpy(b, keep, sizeof b);                                           \
    double u[N]; memcpy(u, t, sizeof t);                                                           \
    CHECK_AT(NAME " jvp", k, __enzyme_fwddiff((void *)F, enzyme_dup, a, u, enzyme_const, b, k),    \
             innerProduct(t, d, N));                                                               \
  }
int main(void) {
  RUN("pick", pick, 2)
  RUN("calls", calls, 4)
  RUN("memory", inMemory, 6)
  RUN("copies", copies, 2)
  RUN("structs", structs, 3)
  RUN("store", store, 4)
  RUN("constants", constants, 4)
  RUN("cleared", cleared, 3)
  RUN("chain", chain, 4)
  return finish();
}
