// Old numerical code: vectors and matrices that start at 1 by shifted pointers; ludcmp, svd-like sweeps.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define NR_END 1
#define FREE_ARG char *
#define SIGN(a, b) ((b) >= 0.0 ? fabs(a) : -fabs(a))
static double sqrarg;
#define SQR(a) ((sqrarg = (a)) == 0.0 ? 0.0 : sqrarg * sqrarg)

static double *dvector(long nl, long nh) {
  double *v = (double *)malloc((size_t)((nh - nl + 1 + NR_END) * sizeof(double)));
  if (!v)
    exit(2);
  return v - nl + NR_END;
}
static void free_dvector(double *v, long nl) { free((FREE_ARG)(v + nl - NR_END)); }
static double **dmatrix(long nrl, long nrh, long ncl, long nch) {
  long i, nrow = nrh - nrl + 1, ncol = nch - ncl + 1;
  double **m = (double **)malloc((size_t)((nrow + NR_END) * sizeof(double *)));
  if (!m)
    exit(2);
  m += NR_END;
  m -= nrl;
  m[nrl] = (double *)malloc((size_t)((nrow * ncol + NR_END) * sizeof(double)));
  if (!m[nrl])
    exit(2);
  m[nrl] += NR_END;
  m[nrl] -= ncl;
  for (i = nrl + 1; i <= nrh; i++)
    m[i] = m[i - 1] + ncol;
  return m;
}
static void free_dmatrix(double **m, long nrl, long ncl) {
  free((FREE_ARG)(m[nrl] + ncl - NR_END));
  free((FREE_ARG)(m + nrl - NR_END));
}

/* Jacobi rotations of the symmetric matrix a; eigenvalues in d. Returns the sweeps, -1 for too many. */
static int jacobi(double **a, int n, double d[]) {
  int i, j, ip, iq, sweep;
  double c, g, h, s, sm, t, tau, theta;
  for (sweep = 1; sweep <= 50; sweep++) {
    for (sm = 0.0, ip = 1; ip <= n - 1; ip++)
      for (iq = ip + 1; iq <= n; iq++)
        sm += fabs(a[ip][iq]);
    if (sm < 1e-14) {
      for (i = 1; i <= n; i++)
        d[i] = a[i][i];
      return sweep;
    }
    for (ip = 1; ip <= n - 1; ip++)
      for (iq = ip + 1; iq <= n; iq++) {
        if (fabs(a[ip][iq]) < 1e-18)
          continue;
        h = a[iq][iq] - a[ip][ip];
        theta = 0.5 * h / a[ip][iq];
        t = SIGN(1.0, theta) / (fabs(theta) + sqrt(1.0 + SQR(theta)));
        c = 1.0 / sqrt(1 + t * t);
        s = t * c;
        tau = s / (1.0 + c);
        for (j = 1; j <= n; j++) {
          g = a[j][ip];
          h = a[j][iq];
          a[j][ip] = g - s * (h + g * tau);
          a[j][iq] = h + s * (g - h * tau);
        }
        for (j = 1; j <= n; j++) {
          g = a[ip][j];
          h = a[iq][j];
          a[ip][j] = g - s * (h + g * tau);
          a[iq][j] = h + s * (g - h * tau);
        }
      }
  }
  return -1;
}

/* A symmetric function of the eigenvalues of the symmetric part: the sum of exp. */
double traceOfExponential(const double *entries, int n) {
  double **a = dmatrix(1, n, 1, n), *d = dvector(1, n), sum = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      a[i][j] = 0.5 * (entries[(i - 1) * n + j - 1] + entries[(j - 1) * n + i - 1]);
  if (jacobi(a, n, d) > 0)
    for (int i = 1; i <= n; i++)
      sum += exp(d[i]);
  free_dvector(d, 1);
  free_dmatrix(a, 1, 1);
  return sum;
}

enum { N = 4 };

int main(void) {
  double a[N * N], t[N * N], d[N * N] = {0};
  fill(a, N * N, 1, -1, 1);
  fill(t, N * N, 2, -1, 1);
  __enzyme_autodiff((void *)traceOfExponential, a, d, N);
  CHECK_SLOPES("a", N * N, a, d, traceOfExponential(a, N));
  double trace = 0;
  for (int i = 0; i < N; i++)
    trace += d[i * N + i];
  CHECK("shift", trace, traceOfExponential(a, N));
  CHECK_FORWARD("trace", __enzyme_fwddiff((void *)traceOfExponential, a, t, N), N * N, t, d);
  return finish();
}
