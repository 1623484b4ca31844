// Several directions at once: widths 2 to 4, forward and reverse, values and memory.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double f(double x, double y) {
  double r = x;
  for (int i = 0; i < 3; i++)
    r = r * y > 1 ? sin(r * x) : r * y + x * x;
  return r;
}
void g(const double *in, double *out, int n) {
  double sum = 1;
  for (int i = 0; i < n; i++) {
    sum *= in[i];
    out[i] = sum + exp(in[i]);
  }
}

typedef struct {
  double lane[2];
} Two;
typedef struct {
  double lane[3];
} Three;
typedef struct {
  double a, b, c, d;
} Four;
typedef struct {
  double dx[2], dy[2];
} TwoGradients;
Two __enzyme_fwddiff_two(void *, ...);
Three __enzyme_fwddiff_three(void *, ...);
Four __enzyme_fwddiff_four(void *, ...);
TwoGradients __enzyme_autodiff_two(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);

int main(void) {
  double x = 0.8, y = 0.6, fx = SLOPE(x, f(x, y)), fy = SLOPE(y, f(x, y));
  Two two = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, enzyme_dup, x, 1.0, 0.0, enzyme_dup, y,
                                 0.0, 1.0);
  CHECK("two 0", two.lane[0], fx);
  CHECK("two 1", two.lane[1], fy);
  Three three =
      __enzyme_fwddiff_three((void *)f, enzyme_width, 3, x, 1.0, 2.0, 3.0, enzyme_const, y);
  for (int i = 0; i < 3; i++)
    CHECK_AT("three", i, three.lane[i], (i + 1) * fx);
  Four four = __enzyme_fwddiff_four((void *)f, x, 1.0, 0.0, -1.0, 0.5, y, 0.0, 1.0, 2.0, 0.25,
                                    enzyme_width, 4);
  CHECK("four a", four.a, fx);
  CHECK("four b", four.b, fy);
  CHECK("four c", four.c, 2 * fy - fx);
  CHECK("four d", four.d, 0.5 * fx + 0.25 * fy);
  TwoGradients both = __enzyme_autodiff_two((void *)f, enzyme_width, 2, x, y);
  CHECK("reverse dx0", both.dx[0], fx);
  CHECK("reverse dx1", both.dx[1], fx);
  CHECK("reverse dy1", both.dy[1], fy);

  enum { N = 4 };
  double in[N], out[N], tin[3][N], tout[3][N], seed[3][N], dout[3][N], din[3][N] = {{0}};
  fill(in, N, 1, 0.5, 1.5);
  fill(&tin[0][0], 3 * N, 2, -1, 1);
  fill(&seed[0][0], 3 * N, 3, -1, 1);
  memcpy(dout, seed, sizeof seed);
  __enzyme_fwddiff_nothing((void *)g, enzyme_width, 3, enzyme_dup, in, tin[0], tin[1], tin[2],
                           enzyme_dup, out, tout[0], tout[1], tout[2], N);
  __enzyme_autodiff_nothing((void *)g, enzyme_width, 3, enzyme_dup, in, din[0], din[1], din[2],
                            enzyme_dupnoneed, out, dout[0], dout[1], dout[2], N);
  for (int lane = 0; lane < 3; lane++) {
    for (int i = 0; i < N; i++)
      CHECK_AT("din", lane * N + i, din[lane][i],
               SLOPE(in[i], (g(in, out, N), innerProduct(out, seed[lane], N))));
    for (int other = 0; other < 3; other++)
      CHECK_AT("dot product", lane * 3 + other, innerProduct(tout[other], seed[lane], N),
               innerProduct(tin[other], din[lane], N));
  }
  return finish();
}
