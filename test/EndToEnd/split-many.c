// Several tapes at once, read in any order; one tape read many times; tapes by value and in
// memory of the caller.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 %s
#include "check.h"

extern int enzyme_allocated, enzyme_tape, enzyme_nofree;

typedef struct { void *tape; double value; } Aug;
typedef struct { double a, b; } Pair;
typedef struct { char bytes[64]; } Bytes;
Aug __enzyme_augmentfwd(void *, ...);
Bytes __enzyme_augmentfwd_bytes(void *, ...);
void __enzyme_augmentfwd_v(void *, ...);
void *__enzyme_augmentfwd_t(void *, ...);
double __enzyme_reverse(void *, ...);
Pair __enzyme_reverse_pair(void *, ...);
void __enzyme_reverse_v(void *, ...);
double loop(double *p, int n, double x) {
  double s = x; double *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++) { w[i] = p[i] * s; p[i] = w[i] + 1; s = sin(s) + w[i]; }
  for (int i = 0; i < n; i++) s *= w[i];
  free(w);
  return s;
}
double point(double x, double y) { return exp(x) * y * y; }
static double eval(double *p0, int n, double x) { double p[8]; memcpy(p, p0, n*sizeof *p); return loop(p, n, x); }
int main(void) {
  enum { N = 5 };
  double p0[N] = {0.5, 0.7, 1.1, 0.9, 1.3}, x = 0.4;
  Aug tapes[4]; double ps[4][N], ds[4][N];
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < N; i++) { ps[k][i] = p0[i] + 0.1*k; ds[k][i] = 0; }
    tapes[k] = __enzyme_augmentfwd((void*)loop, ps[k], ds[k], N, x + k*0.01);
  }
  int order[4] = {2, 0, 3, 1};
  for (int o = 0; o < 4; o++) {
    int k = order[o]; double in[N]; for (int i = 0; i < N; i++) { in[i] = p0[i] + 0.1*k; ps[k][i] = -1e9; }
    double xx = x + k*0.01;
    double g = __enzyme_reverse((void*)loop, ps[k], ds[k], N, xx, 1.5, tapes[k].tape);
    CHECK_AT("value", k, tapes[k].value, eval(in, N, xx));
    CHECK_AT("gx", k, g, 1.5*SLOPE(xx, eval(in, N, xx)));
    for (int i = 0; i < N; i++) CHECK_AT("gp", 10*k+i, ds[k][i], 1.5*SLOPE(in[i], eval(in, N, xx)));
  }
  /* many reverses from one tape */
  double p[N], d[N]; memcpy(p, p0, sizeof p);
  void *t = __enzyme_augmentfwd_t((void*)loop, enzyme_noret, enzyme_dup, p, d, N, x);
  double in[N]; memcpy(in, p0, sizeof in);
  for (int k = 0; k < 5; k++) {
    memset(d, 0, sizeof d);
    double g = k < 4 ? __enzyme_reverse((void*)loop, enzyme_nofree, p, d, N, x, (double)k, t) : __enzyme_reverse((void*)loop, p, d, N, x, (double)k, t);
    CHECK_AT("again", k, g, k*SLOPE(x, eval(in, N, x)));
    CHECK_AT("again p", k, d[2], k*SLOPE(in[2], eval(in, N, x)));
  }
  /* by value, in memory */
  char buf[64];
  __enzyme_augmentfwd_v((void*)point, enzyme_allocated, 64, enzyme_tape, buf, 0.5, 2.0);
  Pair g = __enzyme_reverse_pair((void*)point, enzyme_allocated, 64, enzyme_tape, buf, 0.5, 2.0, 3.0);
  CHECK("tape dx", g.a, 3*exp(0.5)*4); CHECK("tape dy", g.b, 3*exp(0.5)*4);
  Bytes b = __enzyme_augmentfwd_bytes((void*)point, enzyme_allocated, 64, enzyme_noret, 0.5, 2.0);
  g = __enzyme_reverse_pair((void*)point, enzyme_allocated, 64, 0.5, 2.0, 3.0, b);
  CHECK("value dx", g.a, 3*exp(0.5)*4); CHECK("value dy", g.b, 3*exp(0.5)*4);
  g = __enzyme_reverse_pair((void*)point, 0.5, 2.0, __enzyme_augmentfwd_t((void*)point, enzyme_noret, 0.5, 2.0));
  CHECK("auto seed", g.a, exp(0.5)*4);
  return finish();
}
