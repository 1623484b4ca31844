// C as it was written before prototypes: K&R definitions, register, comma loops, static counters.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin --flag=-std=gnu89 --flag=-Wno-deprecated-non-prototype %s
#include "../check.h"

#define ODD(i) ((i) & 1)
static int calls;

static double dabs(x)
double x;
{
  return x < 0.0 ? -x : x;
}

static int polin(xa, ya, n, x, y, dy)
double xa[], ya[], x, *y, *dy;
int n;
{
  register int i, m, ns = 0;
  double den, dif, dift, ho, hp, w;
  double c[16], d[16];

  calls++;
  dif = dabs(x - xa[0]);
  for (i = 0; i < n; i++) {
    if ((dift = dabs(x - xa[i])) < dif) {
      ns = i;
      dif = dift;
    }
    c[i] = ya[i];
    d[i] = ya[i];
  }
  *y = ya[ns--];
  for (m = 1; m < n; m++) {
    for (i = 0; i < n - m; i++) {
      ho = xa[i] - x, hp = xa[i + m] - x;
      w = c[i + 1] - d[i];
      if ((den = ho - hp) == 0.0)
        return 0;
      den = w / den;
      d[i] = hp * den;
      c[i] = ho * den;
    }
    *y += (*dy = (2 * (ns + 1) < (n - m) ? c[ns + 1] : d[ns--]));
  }
  return 1;
}

static double trapzd(a, b, n, p)
double a, b;
int n;
double *p;
{
  double x, tnm, sum, del;
  static double s;
  int it, j;

  if (n == 1)
    return s = 0.5 * (b - a) * (exp(-p[0] * a * a) * p[1] + exp(-p[0] * b * b) * p[1]);
  for (it = 1, j = 1; j < n - 1; j++)
    it <<= 1;
  tnm = it;
  del = (b - a) / tnm;
  x = a + 0.5 * del;
  for (sum = 0.0, j = 1; j <= it; j++, x += del)
    sum += exp(-p[0] * x * x) * p[1];
  s = 0.5 * (s + (b - a) * sum / tnm);
  return s;
}

/* Romberg integration of p[1] exp(-p[0] x x). */
double qromb(a, b, p)
double a, b;
double *p;
{
  double ss, dss, s[12], h[13];
  int j;

  h[0] = 1.0;
  for (j = 1; j <= 11; j++) {
    s[j - 1] = trapzd(a, b, j, p);
    if (j >= 5) {
      if (!polin(&h[j - 5], &s[j - 5], 5, 0.0, &ss, &dss))
        return 0.0;
      if (dabs(dss) < 1e-13 * dabs(ss))
        return ss;
    }
    h[j] = 0.25 * h[j - 1];
  }
  return ss;
}

int main() {
  double a = -0.3, b = 1.4, p[2] = {0.8, 1.7}, t[2] = {0.6, -1.1}, d[2] = {0};
  double db = __enzyme_autodiff((void *)qromb, enzyme_const, a, b, p, d), ignored[2] = {0};
  double da = __enzyme_autodiff((void *)qromb, a, enzyme_const, b, p, ignored);
  CHECK("b", db, p[1] * exp(-p[0] * b * b));
  CHECK("a", da, -p[1] * exp(-p[0] * a * a));
  CHECK("p1", d[1], qromb(a, b, p) / p[1]);
  CHECK_SLOPES("p", 2, p, d, qromb(a, b, p));
  CHECK("forward", __enzyme_fwddiff((void *)qromb, a, 0.3, b, -0.8, p, t),
        innerProduct(t, d, 2) + 0.3 * da - 0.8 * db);
  return finish();
}
