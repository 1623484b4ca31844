// Derivatives of derivatives: each way of nesting, over loops, memory, calls and recursion.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

void __enzyme_autodiff_nothing(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);

/* Straight code: up to the fifth derivative, by either mode. */
double s0(double x) { return sin(2 * x) * x * x; }
double s1(double x) { return __enzyme_autodiff((void *)s0, x); }
double s2(double x) { return __enzyme_fwddiff((void *)s1, x, 1.0); }
double s3(double x) { return __enzyme_autodiff((void *)s2, x); }
double s4(double x) { return __enzyme_fwddiff((void *)s3, x, 1.0); }
double t1(double x) { return __enzyme_fwddiff((void *)s0, x, 1.0); }
double t2(double x) { return __enzyme_autodiff((void *)t1, x); }
double r2(double x) { return __enzyme_autodiff((void *)s1, x); }
double r3(double x) { return __enzyme_autodiff((void *)r2, x); }
double f2(double x) { return __enzyme_fwddiff((void *)t1, x, 1.0); }

static void straight(void) {
  double x = 0.4, s = sin(2 * x), c = cos(2 * x);
  double second = (2 - 4 * x * x) * s + 8 * x * c;
  double third = -24 * x * s + (12 - 8 * x * x) * c;
  double fourth = (16 * x * x - 48) * s - 64 * x * c;
  CHECK("s1", s1(x), 2 * x * s + 2 * x * x * c);
  CHECK("forward over reverse", s2(x), second);
  CHECK("reverse over forward", t2(x), second);
  CHECK("reverse over reverse", r2(x), second);
  CHECK("forward over forward", f2(x), second);
  CHECK("third", s3(x), third);
  CHECK("third by reverse", r3(x), third);
  CHECK("fourth", s4(x), fourth);
}

/* Each program: a number from N numbers; its Hessian times a vector is checked against
   differences of the gradient, by forward over reverse, reverse over forward and reverse over
   reverse. */
#define PROGRAM(F)                                                                                 \
  void F##_gradient(const double *p, double *g, int n) {                                           \
    __enzyme_autodiff_nothing((void *)F, enzyme_dup, p, g, enzyme_const, n);                       \
  }                                                                                                \
  void F##_hvp(const double *p, const double *v, double *g, double *hv, int n) {                   \
    __enzyme_fwddiff_nothing((void *)F##_gradient, enzyme_dup, p, v, enzyme_dup, g, hv,            \
                             enzyme_const, n);                                                     \
  }                                                                                                \
  double F##_slope(const double *p, const double *v, int n) {                                      \
    return __enzyme_fwddiff((void *)F, enzyme_dup, p, v, enzyme_const, n);                         \
  }                                                                                                \
  double F##_dot(const double *p, const double *v, int n) {                                        \
    double g[8] = {0};                                                                             \
    F##_gradient(p, g, n);                                                                         \
    double sum = 0;                                                                                \
    for (int i = 0; i < n; i++)                                                                    \
      sum += g[i] * v[i];                                                                          \
    return sum;                                                                                    \
  }                                                                                                \
  void F##_check(double *p, const double *v, int n) {                                              \
    double g[8] = {0}, hv[8] = {0}, over[8] = {0}, twice[8] = {0};                                 \
    F##_hvp(p, v, g, hv, n);                                                                       \
    __enzyme_autodiff_nothing((void *)F##_slope, enzyme_dup, p, over, enzyme_const, v,             \
                              enzyme_const, n);                                                    \
    __enzyme_autodiff_nothing((void *)F##_dot, enzyme_dup, p, twice, enzyme_const, v,              \
                              enzyme_const, n);                                                    \
    for (int i = 0; i < n; i++) {                                                                  \
      double slope = SLOPE_WITHIN(1e-3, p[i], F##_dot(p, v, n));                                   \
      CHECK_AT(#F " forward over reverse", i, hv[i], slope);                                       \
      CHECK_AT(#F " reverse over forward", i, over[i], slope);                                     \
      CHECK_AT(#F " reverse over reverse", i, twice[i], slope);                                    \
    }                                                                                              \
  }

double chain(const double *p, int n) {
  double r = 1;
  for (int i = 0; i < n; i++)
    r = sin(r * p[i]) + p[i] * p[i];
  return r;
}
PROGRAM(chain)

double rows(const double *p, int n) { /* A nest: tape arrays of two dimensions. */
  double r = 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      r = cos(r * p[i]) * p[j] + 0.1 * r;
  return r;
}
PROGRAM(rows)

double grows(const double *p, int n) { /* The trip count is known only afterwards. */
  double r = p[0];
  for (int i = 0; r < 20; i++)
    r = r * 1.1 + p[i % n] * p[i % n];
  return r * r;
}
PROGRAM(grows)

double growsWithin(const double *p, int n) { /* Two such loops: a tape of tapes, with numbers. */
  double r = p[0];
  for (int i = 0; r < 4; i++)
    for (double s = 1; s < 3; s = s * 1.3 + p[i % n] * p[i % n])
      r += 0.1 + 0.2 * s * p[i % n] * p[i % n];
  return r * r;
}
PROGRAM(growsWithin)

double descend(const double *p, int n, double r) {
  return n ? descend(p, n - 1, r * p[n - 1] + sin(p[0])) * p[n - 1] : r;
}
double recursive(const double *p, int n) { return descend(p, n, 1); }
PROGRAM(recursive)

double onHeap(const double *p, int n) {
  double *q = malloc(n * sizeof *q), r = 0;
  for (int i = 0; i < n; i++)
    q[i] = p[i] * p[i];
  for (int i = 0; i < n; i++)
    r += sin(q[i]) * q[n - 1 - i];
  free(q);
  return r;
}
PROGRAM(onHeap)

double inPlace(const double *p, int n) {
  double q[8], r = 0;
  memcpy(q, p, n * sizeof *q);
  for (int k = 0; k < 2; k++)
    for (int i = 1; i < n; i++)
      q[i] *= q[i - 1] + 0.5;
  for (int i = 0; i < n; i++)
    r += q[i] * q[i];
  return r;
}
PROGRAM(inPlace)

__attribute__((noinline)) static double helper(const double *p, double x) {
  return x > 1 ? exp(x - p[0]) : p[0] * x * x;
}
double calls(const double *p, int n) {
  double r = 0.3;
  for (int i = 0; i < n; i++)
    r = helper(p + i, r) + r;
  return r;
}
PROGRAM(calls)

__attribute__((noinline)) static double settle(const double *p, double x) {
  while (x * x > 0.1) /* Trip counts inside the tapes of calls. */
    x = x * 0.5 + 0.01 * p[0] * x;
  return x * p[0] + sin(x);
}
double settles(const double *p, int n) {
  double r = 2;
  for (int i = 0; i < n; i++)
    r = settle(p + i, 3 + r) + r * r;
  return r;
}
PROGRAM(settles)

struct node {
  double value;
  struct node *next;
};
double list(const double *p, int n) { /* Addresses in memory that has a shadow. */
  struct node *head = 0;
  for (int i = 0; i < n; i++) {
    struct node *new = malloc(sizeof *new);
    new->value = p[i];
    new->next = head;
    head = new;
  }
  double r = 1;
  while (head) {
    struct node *next = head->next;
    r = r * head->value + sin(head->value);
    free(head);
    head = next;
  }
  return r;
}
PROGRAM(list)

int main(void) {
  double p[5] = {0.7, 1.2, -0.4, 0.9, 1.6}, v[5] = {1, -0.5, 2, 0.25, 0.75};
  straight();
  chain_check(p, v, 5);
  rows_check(p, v, 4);
  grows_check(p, v, 5);
  growsWithin_check(p, v, 5);
  recursive_check(p, v, 4);
  onHeap_check(p, v, 5);
  inPlace_check(p, v, 4);
  calls_check(p, v, 4);
  settles_check(p, v, 3);
  list_check(p, v, 4);
  return finish();
}
