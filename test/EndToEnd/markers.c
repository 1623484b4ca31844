// Every marker of an argument or a result, in reverse and forward mode.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double f(double x, double y) { return x * x * sin(y); }
double g(const double *p, double s, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += s * p[i] * p[i];
  return sum;
}
void h(const double *in, double *out) {
  out[0] = in[0] * in[1];
  out[1] = in[1] / in[0];
}

typedef struct {
  double value, dx, dy;
} Full;
typedef struct {
  double value, d;
} Valued;
Full __enzyme_autodiff_full(void *, ...);
Valued __enzyme_autodiff_valued(void *, ...);
Valued __enzyme_fwddiff_valued(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);

int main(void) {
  double x = 1.5, y = 0.7, fx = 2 * x * sin(y), fy = x * x * cos(y);
  CHECK("out, const", __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_const, y), fx);
  CHECK("const, out", __enzyme_autodiff((void *)f, enzyme_const, x, enzyme_out, y), fy);
  Full full = __enzyme_autodiff_full((void *)f, enzyme_primal_return, enzyme_out, x, y);
  CHECK("primal", full.value, f(x, y));
  CHECK("after the primal: dx", full.dx, fx);
  CHECK("after the primal: dy", full.dy, fy);
  Valued v =
      __enzyme_autodiff_valued((void *)f, enzyme_const, x, enzyme_out, y, enzyme_primal_return);
  CHECK("flag at the end: primal", v.value, f(x, y));
  CHECK("flag at the end: dy", v.d, fy);
  CHECK("active return", __enzyme_autodiff((void *)f, enzyme_active_return, x, enzyme_const, y),
        fx);

  CHECK("dup", __enzyme_fwddiff((void *)f, enzyme_dup, x, 2.0, enzyme_dup, y, 3.0),
        2 * fx + 3 * fy);
  CHECK("dup, const", __enzyme_fwddiff((void *)f, enzyme_dup, x, 1.0, enzyme_const, y), fx);
  v = __enzyme_fwddiff_valued((void *)f, enzyme_primal_return, enzyme_const, x, enzyme_dup, y, 1.0);
  CHECK("forward primal", v.value, f(x, y));
  CHECK("forward tangent", v.d, fy);

  double p[3] = {1, 2, 3}, dp[3] = {10, 20, 30}, s = 0.5;
  double ds = __enzyme_autodiff((void *)g, enzyme_dup, p, dp, enzyme_out, s, enzyme_const, 3);
  CHECK("ds", ds, 14);
  for (int i = 0; i < 3; i++) // what is in the shadow stays: the gradient is added
    CHECK_AT("added", i, dp[i], 10 * (i + 1) + 2 * s * p[i]);
  CHECK("const pointer", __enzyme_autodiff((void *)g, enzyme_const, p, s, 3), 14);
  double none[3] = {0};
  __enzyme_autodiff_nothing((void *)g, enzyme_const_return, p, none, enzyme_const, s, 3);
  CHECK("const return", none[1], 0);

  double in[2] = {2, 5}, din[2] = {0}, out[2], dout[2] = {1, 10};
  __enzyme_autodiff_nothing((void *)h, enzyme_dup, in, din, enzyme_dup, out, dout);
  CHECK("h0", din[0], 5 - 10 * 5 / 4.0);
  CHECK("h1", din[1], 2 + 10 / 2.0);
  CHECK("value", out[1], 2.5);
  CHECK("seed", dout[1], 0);
  din[0] = din[1] = 0, dout[0] = 1, dout[1] = 10;
  __enzyme_autodiff_nothing((void *)h, in, din, enzyme_dupnoneed, out, dout);
  CHECK("dupnoneed", din[1], 2 + 10 / 2.0);
  double tin[2] = {1, 2}, tout[2] = {77, 77};
  __enzyme_fwddiff((void *)h, in, tin, enzyme_dupnoneed, out, tout);
  CHECK("forward h0", tout[0], 5 * 1 + 2 * 2.0);
  CHECK("forward h1", tout[1], 2 / 2.0 - 5 / 4.0);
  return finish();
}
