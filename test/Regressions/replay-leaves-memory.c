// The second half of forward mode in two neither reads nor writes memory of the function: what
// it holds now is not what it held. Memory without a shadow is what it could be tempted by.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --keep plan --flag=-I%S/../EndToEnd %s
#include "check.h"
typedef struct {
  void *tape;
  double value;
} Augmented;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);

double whole(double x, double *p) { return modf(x, p) * x + *p; }

/* A number is stored through a pointer to memory with or without shadow. */
double either(double *a, double *k, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double *q = i & 1 ? a : k;
    q[i] = q[i] * 2 + i;
    s += q[i] * q[i];
  }
  return s + a[1];
}

/* An address is read and stored there. */
struct box {
  double *p, v;
};
double boxes(struct box *a, struct box *k, double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    struct box *b = i % 3 ? a : k;
    s = s * 1.5 + b->p[0] * b->v + b->p[1];
    b->p = b->p == x ? y : x;
  }
  return s;
}

/* A record that holds an address and no number that varies is copied. */
struct big {
  double *p, v[40];
};
__attribute__((noinline)) static void make(struct big *b, double *p, int n) {
  b->p = p;
  for (int i = 0; i < 40; i++)
    b->v[i] = i * n;
}
double copied(double *x, double *k, int n) {
  struct big fix, *mine = (struct big *)malloc(sizeof *mine);
  double s = 0;
  for (int i = 0; i < n; i++) {
    make(&fix, i & 1 ? k : k + 1, i);
    memcpy(mine, &fix, sizeof *mine);
    if (i & 2)
      mine->p = x;
    mine->v[i] += x[i];
    s = s * 2 + mine->p[0] * mine->v[i] * mine->v[i];
  }
  free(mine);
  return s;
}

int main(void) {
  enum { N = 6 };
  double x = 2.75, p = 0, tp = 0;
  Augmented a = __enzyme_augmentfwd((void *)whole, enzyme_dup, x, 1.0, enzyme_dup, &p, &tp);
  CHECK("whole part", p, 2);
  p = -5;
  CHECK("whole", __enzyme_fwdsplit((void *)whole, enzyme_dup, x, 1.0, enzyme_dup, &p, &tp, a.tape),
        2.75 + .75);
  CHECK("whole part left", p, -5);

  const double A[N] = {.1, .2, .3, .4, .5, .6}, K[N] = {1, 2, 3, 4, 5, 6}, T[N] = {1, 2, 1, 3, 1, 4};
  double b[N], l[N], t[N], u[N];
  memcpy(b, A, sizeof A);
  memcpy(l, K, sizeof K);
  memcpy(t, T, sizeof T);
  memcpy(u, T, sizeof T);
  double want = __enzyme_fwddiff((void *)either, enzyme_dup, b, t, enzyme_const, l, N);
  memcpy(b, A, sizeof A);
  memcpy(l, K, sizeof K);
  a = __enzyme_augmentfwd((void *)either, enzyme_dup, b, u, enzyme_const, l, N);
  memset(b, 0, sizeof b);
  memset(l, 0, sizeof l);
  CHECK("either", __enzyme_fwdsplit((void *)either, enzyme_dup, b, u, enzyme_const, l, N, a.tape),
        want);
  for (int i = 0; i < N; i++) {
    CHECK_AT("either left", i, b[i], 0);
    CHECK_AT("constant left", i, l[i], 0);
    CHECK_AT("either shadow", i, u[i], t[i]);
  }

  double y[2] = {.5, .7}, z[2] = {.3, 1.2}, ty[2] = {1, .5}, tz[2] = {-1, .25};
  struct box B = {y, 2}, L = {z, 3}, TB = {ty, 1}, b1 = B, l1 = L, t1 = TB;
  want = __enzyme_fwddiff((void *)boxes, enzyme_dup, &b1, &t1, enzyme_const, &l1, enzyme_dup, y, ty,
                          enzyme_dup, z, tz, 7);
  b1 = B, l1 = L, t1 = TB;
  a = __enzyme_augmentfwd((void *)boxes, enzyme_dup, &b1, &t1, enzyme_const, &l1, enzyme_dup, y, ty,
                          enzyme_dup, z, tz, 7);
  b1.p = l1.p = NULL;
  CHECK("boxes", __enzyme_fwdsplit((void *)boxes, enzyme_dup, &b1, &t1, enzyme_const, &l1, enzyme_dup,
                                   y, ty, enzyme_dup, z, tz, 7, a.tape), want);
  CHECK("boxes left", b1.p || l1.p, 0);

  double v[N] = {.5, .7, .2, .1, .3, .9}, k[2] = {2, 3};
  memcpy(t, T, sizeof T);
  want = __enzyme_fwddiff((void *)copied, enzyme_dup, v, t, enzyme_const, k, N);
  a = __enzyme_augmentfwd((void *)copied, enzyme_dup, v, t, enzyme_const, k, N);
  CHECK("copied", __enzyme_fwdsplit((void *)copied, enzyme_dup, v, t, enzyme_const, k, N, a.tape),
        want);
  return finish();
}
