// _Float16, __bf16, __float128, and chains through several types.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

/* Old compiler libraries cannot round to __bf16; this is enough for a test. */
__attribute__((weak)) __bf16 __truncsfbf2(float x) {
  unsigned bits;
  unsigned short upper;
  __bf16 y;
  memcpy(&bits, &x, sizeof bits);
  upper = (bits + 32767 + ((bits >> 16) & 1)) >> 16;
  memcpy(&y, &upper, sizeof y);
  return y;
}
__attribute__((weak)) __bf16 __truncdfbf2(double x) { return __truncsfbf2((float)x); }
__attribute__((weak)) __bf16 __truncxfbf2(long double x) { return __truncsfbf2((float)x); }

/* Each function in several types, with the math functions of another; double is the reference. */
#define ALL_FOR(NAME, TYPE, M, F)                                                                  \
  double NAME##Quotient(double x, double y) {                                                      \
    TYPE a = (TYPE)x, b = (TYPE)y;                                                                 \
    a = a * b + (TYPE)2;                                                                           \
    a = -a / b;                                                                                    \
    if (a < b)                                                                                     \
      a += b * b;                                                                                  \
    return a;                                                                                      \
  }                                                                                                \
  double NAME##Functions(double x, double y) {                                                     \
    TYPE a = (TYPE)x, b = (TYPE)y;                                                                 \
    TYPE e = (TYPE)exp##F((M)a), s = (TYPE)sin##F((M)b), r = (TYPE)sqrt##F((M)(a * b));            \
    TYPE p = (TYPE)pow##F((M)e, (M)s);                                                             \
    return p + (TYPE)fabs##F((M)(s - r)) * a + (TYPE)tanh##F((M)(e * b));                          \
  }                                                                                                \
  double NAME##Chain(double x, double y) {                                                         \
    M f = (M)x;                                                                                    \
    TYPE h = (TYPE)f * (TYPE)y;                                                                    \
    long double l = h;                                                                             \
    l = l * l + f;                                                                                 \
    double d = (double)l;                                                                          \
    return d * f + h;                                                                              \
  }                                                                                                \
  double NAME##Loop(double x, double y) {                                                          \
    TYPE a = (TYPE)x;                                                                              \
    for (int i = 0; i < 4; i++)                                                                    \
      a = a * (TYPE)y + (TYPE)0.5f * a * a;                                                        \
    return a;                                                                                      \
  }                                                                                                \
  float NAME##Sum(const TYPE *x, int n) {                                                          \
    float sum = 0;                                                                                 \
    for (int i = 0; i < n; i++)                                                                    \
      sum += (float)x[i] * (float)x[i];                                                            \
    return sum;                                                                                    \
  }                                                                                                \
  void NAME##Scale(TYPE *x, int n, TYPE factor) {                                                  \
    for (int i = 0; i < n; i++)                                                                    \
      x[i] = x[i] * factor * x[i];                                                                 \
  }
ALL_FOR(half, _Float16, float, f)
ALL_FOR(brain, __bf16, float, f)
ALL_FOR(quad, __float128, double, )
ALL_FOR(wide, double, double, )

struct Parts {
  double x, y;
};
struct Parts __enzyme_autodiff_parts(void *, ...);
void __enzyme_autodiff_void(void *, ...);

#define CHECK_ONE(NAME, F, REFERENCE, TOLERANCE)                                                   \
  do {                                                                                             \
    double x = 0.75, y = 0.625;                                                                    \
    const double dx = SLOPE_WITHIN(1e-3, x, REFERENCE(x, y));                                      \
    const double dy = SLOPE_WITHIN(1e-3, y, REFERENCE(x, y));                                      \
    struct Parts d = __enzyme_autodiff_parts((void *)F, x, y);                                     \
    checkWithin(NAME " by x", -1, d.x, dx, TOLERANCE, TOLERANCE);                                  \
    checkWithin(NAME " by y", -1, d.y, dy, TOLERANCE, TOLERANCE);                                  \
    double t = __enzyme_fwddiff((void *)F, x, 1.0, y, -0.5);                                       \
    checkWithin(NAME " forward", -1, t, dx - 0.5 * dy, TOLERANCE, TOLERANCE);                      \
  } while (0)
#define CHECK_TYPE(NAME, TYPE, TOLERANCE)                                                          \
  do {                                                                                             \
    CHECK_ONE(#NAME " quotient", NAME##Quotient, wideQuotient, TOLERANCE);                         \
    CHECK_ONE(#NAME " functions", NAME##Functions, wideFunctions, TOLERANCE);                      \
    CHECK_ONE(#NAME " chain", NAME##Chain, wideChain, TOLERANCE);                                  \
    CHECK_ONE(#NAME " loop", NAME##Loop, wideLoop, TOLERANCE);                                     \
    TYPE x[4] = {(TYPE)1, (TYPE)2, (TYPE)3, (TYPE)4}, d[4] = {0};                                  \
    __enzyme_autodiff((void *)NAME##Sum, x, d, 4);                                                 \
    for (int i = 0; i < 4; i++)                                                                    \
      CHECK_AT(#NAME " sum", i, (double)d[i], 2 * (i + 1));                                        \
    TYPE w[4] = {(TYPE)1, (TYPE)1, (TYPE)2, (TYPE)1};                                              \
    __enzyme_autodiff_void((void *)NAME##Scale, x, w, 4, enzyme_const, (TYPE)0.5f);                \
    for (int i = 0; i < 4; i++)                                                                    \
      CHECK_AT(#NAME " scale", i, (double)w[i], (i == 2 ? 2 : 1) * (i + 1));                       \
  } while (0)

int main(void) {
  CHECK_TYPE(wide, double, 1e-8);
  CHECK_TYPE(quad, __float128, 1e-8);
  CHECK_TYPE(half, _Float16, 1e-2);
  CHECK_TYPE(brain, __bf16, 1e-1);
  return finish();
}
