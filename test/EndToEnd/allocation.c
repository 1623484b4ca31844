// Memory from malloc and calloc: one buffer, one per trip, rows, freed early, returned by a helper.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double buffer(const double *x, int n) {
  double *y = malloc(n * sizeof *y), sum = 0;
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[(i + 1) % n];
  for (int i = 0; i < n; i++)
    sum += sin(y[i]) * y[n - 1 - i];
  free(y);
  return sum;
}
double perTrip(const double *x, int n) {
  double sum = 0;
  for (int i = 1; i <= n; i++) {
    double *y = calloc(i, sizeof *y);
    for (int j = 0; j < i; j++)
      y[j] += x[j] * x[i - 1] + (j ? y[j - 1] : 0);
    sum += y[i - 1] * y[0];
    free(y);
  }
  return sum;
}
double rows(const double *x, int n) {
  double **m = malloc(n * sizeof *m), sum = 0;
  for (int i = 0; i < n; i++) {
    m[i] = malloc(n * sizeof **m);
    for (int j = 0; j < n; j++)
      m[i][j] = x[i] * exp(x[j]);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += m[i][j] * m[j][i];
  for (int i = 0; i < n; i++)
    free(m[i]);
  free(m);
  return sum;
}
static __attribute__((noinline)) double *doubled(const double *x, int n) {
  double *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i] * x[i];
  return y;
}
double helper(const double *x, int n) {
  double *y = doubled(x, n), *z = doubled(y, n);
  free(y);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += z[i] * x[n - 1 - i];
  free(z);
  return sum;
}

/* Memory that callees make and hand out, whose type they do not know. */
static __attribute__((noinline)) void create(double **p, int n) { *p = malloc(n * sizeof **p); }
static __attribute__((noinline)) void createAll(double **from, double **to) {
  for (; from < to; from++)
    *from = malloc(512);
}
double handedOut(const double *x, int n) {
  double *y, *z[3], sum = 0;
  create(&y, n);
  createAll(z, z + 3);
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    z[i % 3][i] = y[i] * x[0];
  }
  for (int i = 0; i < n; i++)
    sum += y[i] * z[(n - 1 - i) % 3][n - 1 - i];
  free(y);
  for (int i = 0; i < 3; i++)
    free(z[i]);
  return sum;
}

/* Made and released by functions of their own, with memory in it that has no derivative. */
struct vec {
  double *data;
  int n;
  char *name;
};
static __attribute__((noinline)) struct vec *vecNew(int n) {
  struct vec *v = malloc(sizeof *v);
  v->data = calloc(n, sizeof *v->data);
  v->n = n;
  v->name = malloc(8);
  strcpy(v->name, "vector");
  return v;
}
static __attribute__((noinline)) void vecFree(struct vec *v) {
  free(v->name);
  free(v->data);
  free(v);
}
double ownFunctions(const double *x, int n) {
  double sum = 0;
  for (int k = 1; k < 4; k++) {
    struct vec *v = vecNew(n);
    for (int i = 0; i < n; i++)
      v->data[i] += x[i] * x[i] * k;
    for (int i = 0; i < n; i++)
      sum += v->data[i] * v->data[v->n - 1 - i];
    vecFree(v);
  }
  return sum;
}
/* Plain integers from realloc, released before their last effect. */
static __attribute__((noinline)) int *permutation(int n) {
  int *t = NULL, room = 0;
  for (int i = 0; i < n; i++) {
    if (i == room) {
      room = room * 2 + 1;
      t = realloc(t, room * sizeof *t);
    }
    t[i] = (i * 7 + 3) % n;
  }
  return t;
}
double indirect(const double *x, int n) {
  int *t = permutation(n);
  double *w = malloc(n * sizeof *w), sum = 0;
  for (int i = 0; i < n; i++)
    w[i] = 1.5 * i;
  for (int i = 0; i < n; i++)
    sum += x[t[i]] * x[i] * w[t[i]];
  free(t);
  free(w);
  t = permutation(n + 3);
  sum += x[t[1] % n] * x[0];
  free(t);
  return sum;
}

#define TEST(F) CHECK_FUNCTION(F, 6, x, t, 6)

int main(void) {
  double x[6], t[6];
  fill(x, 6, 21, -1, 1);
  fill(t, 6, 22, -1, 1);
  TEST(buffer);
  TEST(perTrip);
  TEST(rows);
  TEST(helper);
  TEST(handedOut);
  TEST(ownFunctions);
  TEST(indirect);
  return finish();
}
