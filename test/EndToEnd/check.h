/*===- check.h - What every end-to-end program checks with --------*- C -*-===*
 *
 * Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * C and C++. CHECK compares a derivative with a reference and prints it, so that
 * run-matrix.py can compare it across optimisation levels as well. SLOPE is a
 * reference: central differences, extrapolated to step zero (Romberg).
 *
 *===----------------------------------------------------------------------===*/
#ifndef ISOZYME_TEST_CHECK_H
#define ISOZYME_TEST_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program that takes long to compile names parts of its main, of which run-matrix.py --parts
 * draws one: `if (IN_PART(0)) { ... }`. Clang leaves out what a constant condition excludes. */
#ifndef PART
#define PART -1
#endif
#define IN_PART(N) (PART < 0 || PART == (N))

static int failures;

/* Prints a number that must be the same at every level, within Tolerance. */
static inline void show(const char *name, double value, double tolerance) {
  printf("= %s %.17g %g\n", name, value, tolerance);
}

/* Compares with a reference, relative to it where it is larger than one. The reference may be made
   of derivatives, as differences of gradients are. */
static inline void compareWithin(const char *name, int index, double got, double expected,
                                 double tolerance, double acrossLevels) {
  char full[96];
  if (index >= 0)
    snprintf(full, sizeof full, "%s[%d]", name, index);
  else
    snprintf(full, sizeof full, "%s", name);
  show(full, got, acrossLevels);
  double scale = fabs(expected) > 1 ? fabs(expected) : 1;
  if (!(fabs(got - expected) <= tolerance * scale)) {
    printf("FAILED %s: got %.17g, expected %.17g\n", full, got, expected);
    failures++;
  }
}

/* The same with a reference that no derivative has a part in: it has the same bits in each build.
 */
static inline void checkWithin(const char *name, int index, double got, double expected,
                               double tolerance, double acrossLevels) {
#ifdef ISOZYME_TEST_BITS
  printf("bits %s[%d] %a\n", name, index, expected);
#endif
  compareWithin(name, index, got, expected, tolerance, acrossLevels);
}

#define CHECK(NAME, GOT, EXPECTED) checkWithin(NAME, -1, GOT, EXPECTED, 1e-8, 1e-9)
#define CHECK_AT(NAME, I, GOT, EXPECTED) checkWithin(NAME, I, GOT, EXPECTED, 1e-8, 1e-9)
/* For float: what is printed may differ by rounding from level to level. */
#define CHECK_FLOAT(NAME, GOT, EXPECTED) checkWithin(NAME, -1, GOT, EXPECTED, 2e-5, 2e-5)

static inline double romberg(double slopes[4]) {
  double factor = 4;
  for (int order = 1; order < 4; order++, factor *= 4)
    for (int k = 3; k >= order; k--)
      slopes[k] = (factor * slopes[k] - slopes[k - 1]) / (factor - 1);
  return slopes[3];
}

/* The derivative of EXPRESSION with respect to the variable X, as a double. */
#define SLOPE(X, EXPRESSION) SLOPE_WITHIN(1e-2, X, EXPRESSION)

/* The same from values at most STEP away, where EXPRESSION is smooth no further. */
#define SLOPE_WITHIN(STEP, X, EXPRESSION)                                                          \
  ({                                                                                               \
    double slopes_[4], step_ = (STEP);                                                             \
    const double here_ = (X);                                                                      \
    for (int level_ = 0; level_ < 4; level_++, step_ /= 2) {                                       \
      (X) = here_ + step_;                                                                         \
      const double up_ = (EXPRESSION);                                                             \
      (X) = here_ - step_;                                                                         \
      const double down_ = (EXPRESSION);                                                           \
      slopes_[level_] = (up_ - down_) / (2 * step_);                                               \
    }                                                                                              \
    (X) = here_;                                                                                   \
    romberg(slopes_);                                                                              \
  })

/* Compares the gradient D, of COUNT numbers, with the slopes in the elements of the array X. */
#define CHECK_SLOPES(NAME, COUNT, X, D, EXPRESSION)                                                \
  CHECK_SLOPES_WITHIN(1e-2, NAME, COUNT, X, D, EXPRESSION)
#define CHECK_SLOPES_WITHIN(STEP, NAME, COUNT, X, D, EXPRESSION)                                   \
  do {                                                                                             \
    double *const x_ = (X), *const d_ = (D);                                                       \
    for (int at_ = 0; at_ < (COUNT); at_++)                                                        \
      CHECK_AT(NAME, at_, d_[at_], SLOPE_WITHIN(STEP, x_[at_], EXPRESSION));                       \
  } while (0)

/* Forward against reverse mode: the tangent in direction T is the product of T and the gradient D.
 */
#define CHECK_FORWARD(NAME, TANGENT, COUNT, T, D)                                                  \
  CHECK(NAME " forward", TANGENT, innerProduct(T, D, COUNT))

/* A function F(X, ...) of the COUNT numbers at X: its gradient against slopes, and its tangent in
   direction T against the gradient. */
#define CHECK_FUNCTION(F, COUNT, X, T, ...)                                                        \
  CHECK_FUNCTION_WITHIN(1e-2, F, COUNT, X, T, ##__VA_ARGS__)
#define CHECK_FUNCTION_WITHIN(STEP, F, COUNT, X, T, ...)                                           \
  do {                                                                                             \
    double gradient_[COUNT] = {0};                                                                 \
    GRADIENT_OF((void *)F, X, gradient_, ##__VA_ARGS__);                                           \
    CHECK_SLOPES_WITHIN(STEP, #F, COUNT, X, gradient_, F(X, ##__VA_ARGS__));                       \
    CHECK_FORWARD(#F, TANGENT_OF((void *)F, X, T, ##__VA_ARGS__), COUNT, T, gradient_);            \
  } while (0)

/* Numbers that look random and are the same everywhere, between LOW and HIGH. */
static inline void fill(double *values, int count, unsigned seed, double low, double high) {
  for (int i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = low + (high - low) * ((seed >> 8) / 16777216.0);
  }
}

static inline double innerProduct(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

static inline int finish(void) {
  puts(failures ? "FAILED" : "ok");
  return failures != 0;
}

/* Markers of the calling convention; their values mean nothing. */
#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width;
extern int enzyme_primal_return, enzyme_const_return, enzyme_active_return, enzyme_dup_return;
extern int enzyme_noret;
#ifdef __cplusplus
}
template <typename Return, typename... Args> Return __enzyme_autodiff(void *, Args...);
template <typename Return, typename... Args> Return __enzyme_fwddiff(void *, Args...);
#define GRADIENT_OF __enzyme_autodiff<void>
#define TANGENT_OF __enzyme_fwddiff<double>
#else
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#define GRADIENT_OF __enzyme_autodiff
#define TANGENT_OF __enzyme_fwddiff
#endif

#endif
