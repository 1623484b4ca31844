// __isozyme_dependence: which results depend on which variables, by masks instead of tangents:
// through arithmetic, choices, memory, calls, other types, and through a gradient.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O2,-O3 --flag=-ffast-math %s
#include "bits.h"
#include "check.h"
#include <complex.h>

void __isozyme_dependence(void *, ...);
double __isozyme_dependence_number(void *, ...);

enum { N = 8 };
typedef uint64_t masks[N];

/* y[i] from x: one result for each kind of operation. */
void kinds(const double *x, double *y, int n) {
  y[0] = x[0] * x[1] + sin(x[2]);
  y[1] = floor(x[0]) + (int)x[1] + 3 * (x[2] > 0.5); /* steps: nothing */
  y[2] = fmax(x[0], x[1]);                           /* both */
  double a = x[3], b = x[4];
  y[3] = a > b ? a : b + 1;                          /* both, as a choice of values */
  y[4] = pow(x[0], 2.5) + pow(2.5, x[7]) + atan2(x[1], 1.0) + hypot(x[2], x[3]);
  y[5] = ldexp(x[6], 3) - fabs(x[7]) + copysign(x[5], x[0]);
  y[6] = fma(x[0], x[2], x[4]) / (1 + x[6] * x[6]);
  y[7] = n > 3 ? x[1] : x[2]; /* an integer decides */
}
/* Memory: copies, clearing, local and allocated arrays, accumulation. */
void memory(const double *x, double *y, int n) {
  double local[N], *heap = malloc(n * sizeof *heap);
  memset(local, 0, sizeof local);
  memcpy(heap, x, n * sizeof *heap);
  for (int i = 0; i < n; i++)
    local[i / 2] += heap[i];
  memset(heap, 0, n * sizeof *heap);
  for (int i = 0; i < n; i++)
    y[i] = local[i] + heap[i];
  memmove(y + 4, y, 2 * sizeof *y);
  y[6] = x[6], y[6] = 1; /* overwritten */
  free(heap);
}
static double average(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s / n;
}
static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
static double held;
__attribute__((noinline)) static void hold(double v) { held = v; }
void calls(const double *x, double *y, int n) {
  y[0] = average(x, n);
  y[1] = average(x + 2, 3);
  y[2] = power(x[1], n);
  y[3] = power(x[2], 0);
  hold(x[4] * x[5]);
  y[4] = held;
  hold(1);
  y[5] = held;
  y[6] = *(n > 3 ? &x[6] : &x[0]);
  y[7] = cabs(x[0] + I * x[7]) + creal(cexp(x[3] + I * x[4]));
}
/* Narrower and wider numbers on the way. */
void widths(const double *x, double *y, int n) {
  float f = (float)x[0] * (float)x[1];
  long double l = (long double)x[2] * x[3];
  y[0] = f;
  y[1] = (double)l;
  y[2] = (float)x[7] + (n ? f : 0);
  union {
    double d;
    uint64_t u;
  } moved = {x[5]};
  uint64_t through = moved.u;
  memcpy(&y[3], &through, sizeof through);
}

static void check(const char *name, const uint64_t *got, const uint64_t *expected, int n) {
  for (int i = 0; i < n; i++)
    if (got[i] != expected[i]) {
      printf("%s[%d]: depends on %llx, not %llx\n", name, i, (unsigned long long)got[i],
             (unsigned long long)expected[i]);
      failures++;
    }
}
#define PATTERN(F, COUNT, ...)                                                                     \
  do {                                                                                             \
    double x[N] = {0.3, 0.7, 0.2, 1.1, 0.4, 0.9, 0.6, 0.8}, y[N] = {0};                            \
    masks seed, got = {0}, expected = {__VA_ARGS__};                                               \
    for (int i = 0; i < N; i++)                                                                    \
      seed[i] = 1u << i;                                                                           \
    __isozyme_dependence((void *)F, enzyme_dup, x, seed, enzyme_dup, y, got, enzyme_const, N);     \
    check(#F, got, expected, COUNT);                                                            \
    double again[N];                                                                               \
    F(x, again, N);                                                                                \
    for (int i = 0; i < COUNT; i++)                                                                \
      CHECK_AT(#F, i, y[i], again[i]);                                                             \
  } while (0)

/* The gradient of a function has the Hessian's pattern. */
static double energy(const double *x, int n) {
  double *d = malloc(n * sizeof *d), s = 0;
  for (int i = 0; i < n; i++)
    d[i] = i ? x[i] - x[i - 1] * x[i - 1] : 3 * x[0];
  for (int i = 0; i + 1 < n; i += 2)
    s += d[i] * exp(d[i + 1]);
  free(d);
  return s + 5 * x[n - 1] + (x[0] > 10 ? x[3] * x[5] : 0) + fmax(x[1], 2 * x[1] * x[6]);
}
void gradient(const double *x, double *g, int n) {
  memset(g, 0, n * sizeof *g);
  __enzyme_autodiff((void *)energy, enzyme_dup, x, g, enzyme_const, n);
}

/* Numbers by value, wide masks, and a function with a derivative of its own. */
__attribute__((noinline)) static double own(double a, double b, int n) { return a * b * n; }
struct both { double value, tangent; };
struct both own_forward(double a, double da, double b, double db, int n) {
  return (struct both){a * b * n, (da * b + a * db) * n};
}
void *__enzyme_register_derivative_own[] = {(void *)own, (void *)own_forward};
static double byValue(double a, double b, double c) { return own(a, b, 3) + own(c, 2, 1) * 0.5; }
static void narrow(const float *x, float *y) { y[0] = x[0] * x[1], y[1] = sqrtf(x[1]); }

int main(void) {
  PATTERN(kinds, N, 7, 0, 3, 0x18, 0x8f, 0xe0, 0x55, 2);
  PATTERN(memory, N, 3, 0xc, 0x30, 0xc0, 3, 0xc, 0, 0);
  PATTERN(calls, N, 0xff, 0x1c, 2, 0, 0x30, 0, 0x40, 0x99);
  PATTERN(widths, 4, 3, 0xc, 0x83, 0x20);
  PATTERN(gradient, N, 3, 0x4f, 0xe, 0x3e, 0x38, 0xf8, 0xe2, 0xe0);

  uint64_t high = 1ull << 63;
  double m = __isozyme_dependence_number((void *)byValue, enzyme_dup, 2.0, ofBits(high), enzyme_dup,
                                         3.0, ofBits(4), enzyme_dup, 4.0, ofBits(32));
  if (bitsOf(m) != (high | 36))
    printf("byValue: %llx\n", (unsigned long long)bitsOf(m)), failures++;
  m = __isozyme_dependence_number((void *)byValue, enzyme_dup, 2.0, ofBits(high), enzyme_const, 3.0,
                                  enzyme_const, 4.0);
  if (bitsOf(m) != high)
    printf("byValue, one: %llx\n", (unsigned long long)bitsOf(m)), failures++;
  float x[2] = {1, 2}, y[2];
  uint32_t seed[2] = {0xffffff01, 0x80000002}, got[2] = {0};
  __isozyme_dependence((void *)narrow, enzyme_dup, x, seed, enzyme_dup, y, got);
  if (got[0] != 0xffffff03 || got[1] != 0x80000002)
    printf("narrow: %x %x\n", got[0], got[1]), failures++;
  return finish();
}
