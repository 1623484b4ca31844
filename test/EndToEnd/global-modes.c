// Shadows of globals and of memory without: split halves, several tapes, lanes, derivatives of derivatives, local pointers.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 4 };

void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
static double acc[N];
static double *cursor;
double split(const double *x, int n) {
  cursor = acc;
  for (int i = 0; i < n; i++) *cursor++ = x[i] * x[(i + 1) % n];
  double s = 0;
  while (cursor != acc) { --cursor; s = s * 0.5 + *cursor * *cursor; }
  return s;
}
static double *work;
double workSplit(const double *x, int n) {
  for (int i = 0; i < n; i++) work[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += work[i] * work[(i + 1) % n];
  return s;
}
double grad0(const double *x, double *d, int n) { memset(d, 0, n * sizeof *d); __enzyme_autodiff((void *)split, enzyme_dup, x, d, n); return d[0]; }
double localPtr(double x, int pick) {
  double a = x * x, b = 2;
  double *p = pick ? &a : &b, *q = pick ? &b : &a;
  *q += x;
  return *p * *q + a * b;
}
typedef struct { const double *w; double *out; int n; } Layer;
static void apply(const Layer *l, const double *in) { for (int i = 0; i < l->n; i++) l->out[i] = l->w[i] * in[i] + in[0]; }
double layers(const double *x, const double *w, double *tmp, int n) {
  Layer l[2] = {{w, tmp, n}, {x, tmp, n}};
  double s = 0;
  for (int k = 0; k < 2; k++) { apply(&l[k], x); for (int i = 0; i < n; i++) s += tmp[i] * tmp[i] * (k + 1); }
  return s;
}
static float fbuf[8];
static double mixbuf[4];
union U { double d; float f[2]; } uni;
double kinds(double x) {
  for (int i = 0; i < 8; i++) fbuf[i] = (float)(x * i);
  uni.d = x * 3;
  mixbuf[1] = uni.d + fbuf[3];
  return mixbuf[1] * fbuf[5];
}
struct lanes { double a, b; };
struct lanes __enzyme_fwddiff2(void *, ...);
int main(void) {
  double x[N] = {1, 2, 0.5, 3}, d[N] = {0}, t[N] = {1, -1, 2, 0.5};
  void *tape = __enzyme_augmentfwd((void *)split, enzyme_dup, x, d, N);
  void *tape2 = __enzyme_augmentfwd((void *)split, enzyme_dup, x, d, N);
  __enzyme_reverse((void *)split, enzyme_dup, x, d, N, 1.0, tape);
  for (int i = 0; i < N; i++) CHECK_AT("split", i, d[i], SLOPE(x[i], split(x, N)));
  memset(d, 0, sizeof d);
  __enzyme_reverse((void *)split, enzyme_dup, x, d, N, 1.0, tape2);
  for (int i = 0; i < N; i++) CHECK_AT("split2", i, d[i], SLOPE(x[i], split(x, N)));
  memset(d, 0, sizeof d);
  work = malloc(sizeof d);
  tape = __enzyme_augmentfwd((void *)workSplit, enzyme_dup, x, d, N);
  __enzyme_reverse((void *)workSplit, enzyme_dup, x, d, N, 1.0, tape);
  for (int i = 0; i < N; i++) CHECK_AT("worksplit", i, d[i], SLOPE(x[i], workSplit(x, N)));
  struct lanes l = __enzyme_fwddiff2((void *)workSplit, enzyme_width, 2, enzyme_dup, x, t, d, N);
  double dd[N]; memcpy(dd, d, sizeof d);
  CHECK("lane a", l.a, innerProduct(t, d, N));
  CHECK("lane b", l.b, innerProduct(d, d, N));
  // second order through a static cursor
  double g[N], tg[N] = {0};
  __enzyme_fwddiff((void *)grad0, enzyme_dup, x, t, enzyme_dup, g, tg, N);
  { double h = 1e-4, a[N], b[N], gp[N], gm[N];
    for (int i = 0; i < N; i++) { a[i] = x[i] + h * t[i]; b[i] = x[i] - h * t[i]; }
    grad0(a, gp, N); grad0(b, gm, N);
    for (int i = 0; i < N; i++) checkWithin("hvp", i, tg[i], (gp[i] - gm[i]) / (2 * h), 1e-6, 1e-9); }
  double s = 0.7;
  for (int p = 0; p < 2; p++) {
    CHECK("local", __enzyme_autodiff((void *)localPtr, s, p), SLOPE(s, localPtr(s, p)));
    CHECK("local", __enzyme_fwddiff((void *)localPtr, s, 1.0, p), SLOPE(s, localPtr(s, p)));
  }
  double w[N] = {1, 2, 3, 4}, tmp[N], dtmp[N] = {0};
  memset(d, 0, sizeof d);
  __enzyme_autodiff((void *)layers, enzyme_dup, x, d, enzyme_const, w, enzyme_dup, tmp, dtmp, N);
  for (int i = 0; i < N; i++) CHECK_AT("layers", i, d[i], SLOPE(x[i], layers(x, w, tmp, N)));
  CHECK("layers", __enzyme_fwddiff((void *)layers, enzyme_dup, x, t, enzyme_const, w, enzyme_dup, tmp, dtmp, N), innerProduct(t, d, N));
  CHECK_FLOAT("kinds", __enzyme_autodiff((void *)kinds, s), 60 * s);
  CHECK_FLOAT("kinds", __enzyme_fwddiff((void *)kinds, s, 1.0), 60 * s);
  free(work);
  return finish();
}
