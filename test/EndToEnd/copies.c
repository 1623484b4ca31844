// memcpy, memmove and memset of doubles and of structures, and assignment of structures.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 6 };
typedef struct {
  double v[3];
  long tag;
  double w;
} Record;

double shifted(const double *x, int n) {
  double a[2 * N];
  memset(a, 0, sizeof a);
  memcpy(a, x, n * sizeof *x);
  memmove(a + 1, a, n * sizeof *a);
  memcpy(a + n + 1, x + 2, 2 * sizeof *x);
  double sum = 0;
  for (int i = 0; i + 1 < 2 * n; i++)
    sum += a[i] * a[i + 1] * (i + 1);
  return sum;
}
double cleared(const double *x, int n) {
  double a[N], sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  memset(a + 1, 0, 3 * sizeof *a);
  for (int i = 0; i < n; i++)
    sum += (a[i] + 1) * x[i];
  return sum;
}
double records(const double *x, int n) {
  Record r[N], saved, copy[2];
  for (int i = 0; i < n; i++)
    r[i] = (Record){{x[i], 2 * x[i], x[i] * x[i]}, i, sin(x[i])};
  saved = r[0];
  memcpy(&r[1], &r[2], sizeof *r);
  memcpy(copy, &r[n - 2], sizeof copy);
  r[0] = copy[1];
  r[0].v[1] *= saved.v[2];
  double sum = saved.w;
  for (int i = 0; i < n; i++)
    sum += r[i].v[0] * r[i].v[1] + r[i].v[2] * r[i].w + r[i].tag;
  return sum;
}
void copyOut(double *restrict out, const double *restrict in, int n) {
  memcpy(out, in, n * sizeof *in);
  out[0] *= out[n - 1];
}

#define TEST(F) CHECK_FUNCTION(F, N, x, t, N)

int main(void) {
  double x[N], t[N], out[N], dout[N], din[N] = {0};
  fill(x, N, 31, -1, 1);
  fill(t, N, 32, -1, 1);
  TEST(shifted);
  TEST(cleared);
  TEST(records);
  fill(dout, N, 33, -1, 1);
  double s0 = dout[0], s1 = dout[1], s5 = dout[N - 1];
  __enzyme_autodiff((void *)copyOut, out, dout, x, din, N);
  CHECK("copied first", din[0], s0 * x[N - 1]);
  CHECK("copied second", din[1], s1);
  CHECK("copied last", din[N - 1], s5 + s0 * x[0]);
  CHECK("seed consumed", dout[1], 0);
  return finish();
}
