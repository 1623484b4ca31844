// Loops with isozyme_checkpoint are run in parts, and their derivatives are those of the same
// loops without it: with copies, with buffers that change places, with carried scalars, inside
// another loop, over memory of the function itself, by a function that is not inlined; with no
// iteration, one, and numbers that no part divides.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %clang -O2 -mllvm -isozyme-tape-limit=1K %s -o %t -lm
// RUN: env ISOZYME_CHECKPOINTS=print %t 2>&1 | FileCheck %s
// CHECK-DAG: isozyme: 29 iterations, parts of {{[0-9]+}}, cut {{[2-9]}} times
// CHECK-DAG: isozyme: 1 iterations
// CHECK: {{^}}ok
#include "check.h"

extern int enzyme_dup, enzyme_const, enzyme_out;
extern void isozyme_checkpoint(void);
/* What looks after each access does so once. */
#if __has_feature(undefined_behavior_sanitizer)
#define isozyme_checkpoint()
#endif

enum { N = 7 };
#define NOTHING()
/* Each function twice: as users write it, and without the call. */
#define BOTH(DEFINE) DEFINE(Parts, isozyme_checkpoint) DEFINE(Whole, NOTHING)

#define COPIED(SUFFIX, MARK)                                                                       \
  static double copied##SUFFIX(double *u, int n, int steps, double dt) {                           \
    double v[N + 1];                                                                               \
    for (int s = 0; s < steps; s++) {                                                              \
      MARK();                                                                                      \
      for (int j = 1; j + 1 < n; j++)                                                              \
        v[j] = u[j] + dt * u[j] * u[j] * (u[j - 1] - 2 * u[j] + u[j + 1]);                         \
      for (int j = 1; j + 1 < n; j++)                                                              \
        u[j] = v[j];                                                                               \
    }                                                                                              \
    double sum = 0;                                                                                \
    for (int j = 0; j < n; j++) {                                                                  \
      sum += (j + 1) * u[j] * u[j];                                                                \
      u[j] = 0.5; /* What the loop has written is not there when the adjoint begins. */            \
    }                                                                                              \
    return sum;                                                                                    \
  }
BOTH(COPIED)

#define SWAPPED(SUFFIX, MARK)                                                                      \
  static double swapped##SUFFIX(double *u, int n, int steps, double dt) {                          \
    double *now = malloc((n + 1) * sizeof(double)), *next = calloc(n + 1, sizeof(double));         \
    for (int j = 0; j < n; j++)                                                                    \
      now[j] = u[j] * u[0];                                                                        \
    for (int s = 0; s < steps; s++) {                                                              \
      MARK();                                                                                      \
      for (int j = 0; j < n; j++)                                                                  \
        next[j] = now[j] + dt * sin(now[j] * now[n - 1 - j]);                                      \
      double *other = now;                                                                         \
      now = next;                                                                                  \
      next = other;                                                                                \
    }                                                                                              \
    double sum = 0;                                                                                \
    for (int j = 0; j < n; j++)                                                                    \
      sum += now[j] * now[j] + next[j] * u[j];                                                     \
    free(now);                                                                                     \
    free(next);                                                                                    \
    return sum;                                                                                    \
  }
BOTH(SWAPPED)

/* A leapfrog scheme: positions, velocities and a sum go round in registers. */
#define LEAPFROG(SUFFIX, MARK)                                                                     \
  static double leapfrog##SUFFIX(double *u, int n, int steps, double dt) {                         \
    double x = u[0], v = u[n - 1], work = 0;                                                       \
    int turns = 0;                                                                                 \
    for (int s = 0; s < steps; s++) {                                                              \
      MARK();                                                                                      \
      v -= 0.5 * dt * sin(x);                                                                      \
      x += dt * v;                                                                                 \
      v -= 0.5 * dt * sin(x);                                                                      \
      work += v * v * x;                                                                           \
      turns += s % 3 == 0;                                                                         \
      u[1] += 0.1 * x;                                                                             \
    }                                                                                              \
    return x * v + work + turns * u[0] * u[1];                                                     \
  }
BOTH(LEAPFROG)

/* The marked loop is inside another one, and one is inside the marked one. */
#define NESTED(SUFFIX, MARK)                                                                       \
  static double nested##SUFFIX(double *u, int n, int steps, double dt) {                           \
    double all = 0;                                                                                \
    for (int k = 0; k < 3; k++) {                                                                  \
      double y[2] = {u[0] + k, u[n - 1]};                                                          \
      for (int s = 0; s < steps; s++) {                                                            \
        MARK();                                                                                    \
        for (int j = 0; j < n; j++)                                                                \
          for (int i = 0; i <= j; i++)                                                             \
            y[i & 1] += 0.02 * dt * sin(y[j & 1] * u[i]);                                          \
      }                                                                                            \
      all += y[0] * y[1];                                                                          \
      u[0] += 0.1 * all;                                                                           \
    }                                                                                              \
    return all;                                                                                    \
  }
BOTH(NESTED)

__attribute__((noinline)) static void sweep(double *u, int n, double dt) {
  double left = u[0];
  for (int j = 1; j + 1 < n; j++) {
    double here = u[j];
    u[j] = here + dt * (left * here - u[j + 1]);
    left = here;
  }
}
#define CALLED(SUFFIX, MARK)                                                                       \
  static double called##SUFFIX(double *u, int n, int steps, double dt) {                           \
    for (int s = 0; s < steps; s++) {                                                              \
      MARK();                                                                                      \
      sweep(u, n, dt * (s % 3));                                                                   \
    }                                                                                              \
    return u[n / 2] * u[1] * u[0];                                                                 \
  }
BOTH(CALLED)

/* Each part overwrites other memory. */
#define PATH(SUFFIX, MARK)                                                                         \
  static double path##SUFFIX(double *u, int n, int steps, double dt) {                             \
    double x[32];                                                                                  \
    for (int s = 0; s < 32; s++)                                                                   \
      x[s] = u[s % n] + 0.1 * s;                                                                   \
    for (int s = 0; s < steps; s++) {                                                              \
      MARK();                                                                                      \
      x[s + 1] = sin(x[s]) + dt * x[s + 1] * x[s] * x[s + 2];                                      \
    }                                                                                              \
    return x[steps] * x[0] + x[steps / 2];                                                         \
  }
BOTH(PATH)

typedef double Function(double *, int, int, double);
extern double __enzyme_autodiff(void *, ...);

static double valueOf(Function *f, const double *x, int n, int steps, double dt) {
  double u[N];
  memcpy(u, x, sizeof u);
  return f(u, n, steps, dt);
}

/* Called with constants only, so that each is a marker call of its own. */
#define COMPARE(NAME, FROM)                                                                        \
  static void compare_##NAME(int steps) {                                                          \
    double x[N], u[N], w[N], du[N] = {0}, dw[N] = {0}, dt = 0.05;                                  \
    for (int i = 0; i < N; i++)                                                                    \
      x[i] = u[i] = w[i] = 0.4 + 0.1 * sin(3 * i);                                                 \
    for (int n = FROM; n <= N; n += 4) {                                                           \
      memcpy(u, x, sizeof u), memcpy(w, x, sizeof w);                                              \
      memset(du, 0, sizeof du), memset(dw, 0, sizeof dw);                                          \
      double parts = __enzyme_autodiff((void *)NAME##Parts, enzyme_dup, u, du, enzyme_const, n,    \
                                       enzyme_const, steps, enzyme_out, dt);                       \
      double whole = __enzyme_autodiff((void *)NAME##Whole, enzyme_dup, w, dw, enzyme_const, n,    \
                                       enzyme_const, steps, enzyme_out, dt);                       \
      checkWithin(#NAME " dt", n, parts, whole, 1e-12, 1e-9);                                      \
      CHECK(#NAME " dt slope", parts, SLOPE(dt, valueOf(NAME##Whole, x, n, steps, dt)));           \
      for (int i = 0; i < N; i++) {                                                                \
        checkWithin(#NAME, i, du[i], dw[i], 1e-12, 1e-9);                                          \
        checkWithin(#NAME " after", i, u[i], w[i], 1e-14, 1e-9);                                   \
      }                                                                                            \
      for (int i = 0; i < n; i += 2)                                                               \
        CHECK_AT(#NAME " slope", i, du[i],                                                         \
                 SLOPE(x[i], valueOf(NAME##Whole, x, n, steps, dt)));                              \
    }                                                                                              \
  }
COMPARE(copied, 3)
COMPARE(swapped, 3)
COMPARE(leapfrog, 3)
COMPARE(nested, 3)
COMPARE(called, 3)
COMPARE(path, 3)

int main(void) {
  static const int steps[] = {0, 1, 2, 7, 29};
  for (int i = 0; i < 5; i++) {
    compare_copied(steps[i]);
    compare_swapped(steps[i]);
    compare_leapfrog(steps[i]);
    compare_nested(steps[i]);
    compare_called(steps[i]);
    compare_path(steps[i]);
  }
  return finish();
}
