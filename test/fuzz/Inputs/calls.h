// What derivatives.inc calls, by width and by what is returned. `Lanes3`: one number per
// lane; `Value3`: the value of the function in front of them.
#include "cases.h"
#include <isozyme/isozyme.h>
#include <malloc.h>
#ifdef __cplusplus
extern "C" {
#endif
#define WIDTHS(X) X(1) X(2) X(3) X(4) X(8)
#define CALLS(N)                                                                                   \
  typedef struct {                                                                                 \
    double lane[N];                                                                                \
  } Lanes##N;                                                                                      \
  typedef struct {                                                                                 \
    double value;                                                                                  \
    double lane[N];                                                                                \
  } Value##N;                                                                                      \
  Lanes##N __enzyme_autodiff_##N(void *, ...);                                                     \
  Value##N __enzyme_autodiff_value_##N(void *, ...);                                               \
  Lanes##N __enzyme_fwddiff_##N(void *, ...);                                                      \
  Value##N __enzyme_fwddiff_value_##N(void *, ...);                                                \
  Lanes##N __enzyme_fwdsplit_##N(void *, ...);                                                     \
  Lanes##N __enzyme_reverse_##N(void *, ...);
WIDTHS(CALLS)
void __enzyme_autodiff_nothing(void *, ...);
double __enzyme_autodiff_value(void *, ...);
void __enzyme_reverse_nothing(void *, ...);
double __enzyme_autodiff_number(void *, ...);
Lanes2 __enzyme_autodiff_2_numbers(void *, ...);
double __enzyme_fwddiff_number(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
#ifdef __cplusplus
}
#endif
#define JOIN(a, b) a##b
#define WIDE(name, width) JOIN(name, width)
#define EACH1(d) d[0]
#define EACH2(d) d[0], d[1]
#define EACH3(d) d[0], d[1], d[2]
#define EACH4(d) d[0], d[1], d[2], d[3]
#define EACH8(d) d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]
#define STEP 1e-6
// What only prepares and prints is not what is tested: compiled in little time.
#define OUT_OF_LINE static __attribute__((noinline, minsize, cold, unused))

// The inputs of one case, the derivatives of each lane, and what is printed.
typedef struct {
  double x[NX], y[NY], a;
  double dx[8][NX], dy[8][NY], da[8];
  double value, xAfter[NX], yAfter[NY];
  // Second derivatives, and what differences of first ones say of them.
  double hx[8][NX], hy[8][NY], ha[8];
} Case;
typedef double (*Program)(double *, double *, int, double);
typedef double (*Gradient)(double *, double *, double *, double *, int, double);

OUT_OF_LINE void startCase(Case *k, int c, int width, int reverse) {
  double unused[NX + NY];
  memset(k, 0, sizeof *k);
  fillCase(c, k->x, k->y, &k->a);
  for (int l = 0; l < width; l++) {
    fillSeeds(c, l, reverse ? k->dy[l] : unused, k->dx[l], reverse ? unused : k->dy[l], &k->da[l]);
    if (reverse)
      memset(k->dx[l], 0, sizeof k->dx[l]);
  }
}
OUT_OF_LINE void keepResults(Case *k) {
  memcpy(k->xAfter, k->x, sizeof k->x);
  memcpy(k->yAfter, k->y, sizeof k->y);
}
OUT_OF_LINE void print(const char *name, const double *from, int count) {
  for (int i = 0; i < count; i++)
    printf("%s %.17g\n", name, from[i]);
}
// The derivative in the direction of the first lane's tangents, by differences.
OUT_OF_LINE void printDifferences(Program f, int c, int moveX, int moveA) {
  double sum[NY + 1] = {0}, unused[NY], tx[NX], ty[NY], ta;
  for (int side = -1; side <= 1; side += 2) {
    double x[NX], y[NY], a;
    fillCase(c, x, y, &a);
    fillSeeds(c, 0, unused, tx, ty, &ta);
    for (int i = 0; moveX && i < NX; i++)
      x[i] += side * STEP * tx[i];
    for (int i = 0; i < NY; i++)
      y[i] += side * STEP * ty[i];
    sum[NY] += side * f(x, y, sizes[c], a + (moveA ? side * STEP * ta : 0));
    for (int i = 0; i < NY; i++)
      sum[i] += side * y[i];
  }
  for (int i = 0; i <= NY; i++)
    printf("d %.17g\n", sum[i] / (2 * STEP));
}
// The gradients on both sides of the inputs of a case, apart by twice the step: out[0..8].
OUT_OF_LINE void differGradients(Gradient gradient, int c, const double *tx, const double *ty,
                                   double ta, double step, double *out) {
  memset(out, 0, (NX + NY + 1) * sizeof(double));
  for (int side = -1; side <= 1; side += 2) {
    double x[NX], y[NY], a, gx[NX] = {0}, gy[NY], t[NX + NY], ga;
    fillCase(c, x, y, &a);
    fillSeeds(c, 0, gy, t, t + NX, &ga);
    for (int i = 0; i < NX; i++)
      x[i] += side * step * tx[i];
    for (int i = 0; i < NY; i++)
      y[i] += side * step * ty[i];
    ga = gradient(x, gx, y, gy, sizes[c], a + side * step * ta);
    for (int i = 0; i < NX; i++)
      out[i] += side * gx[i] / (2 * step);
    for (int i = 0; i < NY; i++)
      out[NX + i] += side * gy[i] / (2 * step);
    out[NX + NY] += side * ga / (2 * step);
  }
}
// `h` lines: a second derivative, and differences with two steps.
OUT_OF_LINE void printSecond(Gradient gradient, int c, const Case *k, int lane) {
  double unused[NY], tx[NX], ty[NY], ta, wide[NX + NY + 1], narrow[NX + NY + 1];
  fillSeeds(c, lane, unused, tx, ty, &ta);
  differGradients(gradient, c, tx, ty, ta, STEP, wide);
  differGradients(gradient, c, tx, ty, ta, STEP / 16, narrow);
  for (int i = 0; i < NX + NY + 1; i++) {
    double got = i < NX ? k->hx[lane][i] : i < NX + NY ? k->hy[lane][i - NX] : k->ha[lane];
    printf("h %.17g %.17g %.17g\n", got, wide[i], narrow[i]);
  }
}
