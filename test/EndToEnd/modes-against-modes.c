// Each mode against the others, for functions of different kinds: reverse with differences, forward, split
// halves, replays and lanes with reverse, and derivatives of derivatives with differences of gradients.
// Under -fsanitize=undefined a local array that memcpy fills is an error (docs/limits.md).
// UNSUPPORTED: memcheck-asan
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 --keep plan %s
#include "check.h"

extern int enzyme_dupv, enzyme_byref;
enum { N = 4 };
typedef struct {
  double lane[N];
} Lanes;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
Lanes __enzyme_fwddiff_lanes(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
double __enzyme_fwdsplit(void *, ...);

// The primal, a copy of it for replays (the halves of a function are of one kind in a file), its
// gradient, slope and the slope of its gradient, and the comparison of all of them.
#define MODES(NAME, ...)                                                                           \
  double NAME(const double *x) __VA_ARGS__                                                         \
  double NAME##_again(const double *x) __VA_ARGS__                                                 \
  void NAME##_gradient(const double *x, double *dx) {                                              \
    for (int i = 0; i < N; i++)                                                                    \
      dx[i] = 0;                                                                                   \
    __enzyme_autodiff_void((void *)NAME, enzyme_dup, x, dx);                                       \
  }                                                                                                \
  double NAME##_slope(const double *x, const double *v) {                                          \
    return __enzyme_fwddiff((void *)NAME, enzyme_dup, x, v);                                       \
  }                                                                                                \
  double NAME##_along(const double *x, const double *v) {                                          \
    double dx[N], sum = 0;                                                                         \
    NAME##_gradient(x, dx);                                                                        \
    for (int i = 0; i < N; i++)                                                                    \
      sum += dx[i] * v[i];                                                                         \
    return sum;                                                                                    \
  }                                                                                                \
  static void check_##NAME(void) {                                                                 \
    double x[N] = {0.7, 1.3, -0.4, 2.1}, v[N] = {0.3, -1.1, 0.8, 0.5}, g[N];                       \
    NAME##_gradient(x, g);                                                                         \
    CHECK_SLOPES(#NAME " reverse", N, x, g, NAME(x));                                              \
    double unit[N][N] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}, split[N] = {0};                    \
    for (int i = 0; i < N; i++)                                                                    \
      CHECK_AT(#NAME " forward", i, NAME##_slope(x, unit[i]), g[i]);                               \
    Lanes listed = __enzyme_fwddiff_lanes((void *)NAME, enzyme_width, 4, enzyme_dup, x, unit[0],   \
                                          unit[1], unit[2], unit[3]);                              \
    Lanes strided = __enzyme_fwddiff_lanes((void *)NAME, enzyme_width, 4, enzyme_dupv,             \
                                           sizeof unit[0], x, unit);                               \
    for (int i = 0; i < N; i++) {                                                                  \
      CHECK_AT(#NAME " lanes", i, listed.lane[i], g[i]);                                           \
      CHECK_AT(#NAME " strided lanes", i, strided.lane[i], g[i]);                                  \
    }                                                                                              \
    void *tape = __enzyme_augmentfwd((void *)NAME, enzyme_dup, x, split);                          \
    __enzyme_reverse((void *)NAME, enzyme_dup, x, split, 2.0, tape);                               \
    double seeds[2] = {1, -3}, two[2][N] = {{0}};                                                  \
    tape = __enzyme_augmentfwd((void *)NAME, enzyme_width, 2, enzyme_dup, x, two[0], two[1]);      \
    __enzyme_reverse((void *)NAME, enzyme_width, 2, enzyme_dup, x, two[0], two[1], enzyme_byref,   \
                     sizeof seeds, seeds, tape);                                                   \
    for (int i = 0; i < N; i++) {                                                                  \
      CHECK_AT(#NAME " split", i, split[i], 2 * g[i]);                                             \
      CHECK_AT(#NAME " split lane 0", i, two[0][i], g[i]);                                         \
      CHECK_AT(#NAME " split lane 1", i, two[1][i], -3 * g[i]);                                    \
    }                                                                                              \
    tape = __enzyme_augmentfwd((void *)NAME##_again, enzyme_dup, x, v);                            \
    CHECK(#NAME " replay", __enzyme_fwdsplit((void *)NAME##_again, enzyme_dup, x, v, tape),        \
          NAME##_slope(x, v));                                                                     \
    double forward[N], reversed[N] = {0}, twice[N] = {0}, dv[N] = {0}, down[N], up[N], h = 1e-4;   \
    __enzyme_fwddiff_void((void *)NAME##_gradient, enzyme_dup, x, v, enzyme_dup, down, forward);   \
    __enzyme_autodiff_void((void *)NAME##_slope, enzyme_dup, x, reversed, enzyme_dup, v, dv);      \
    __enzyme_autodiff_void((void *)NAME##_along, enzyme_dup, x, twice, enzyme_const, v);           \
    for (int i = 0; i < N; i++)                                                                    \
      x[i] += h * v[i];                                                                            \
    NAME##_gradient(x, up);                                                                        \
    for (int i = 0; i < N; i++)                                                                    \
      x[i] -= 2 * h * v[i];                                                                        \
    NAME##_gradient(x, down);                                                                      \
    for (int i = 0; i < N; i++) {                                                                  \
      checkWithin(#NAME " forward over reverse", i, forward[i], (up[i] - down[i]) / (2 * h), 1e-5, \
                  1e-8);                                                                           \
      CHECK_AT(#NAME " reverse over forward", i, reversed[i], forward[i]);                         \
      CHECK_AT(#NAME " reverse over reverse", i, twice[i], forward[i]);                            \
      CHECK_AT(#NAME " slope in v", i, dv[i], g[i]);                                               \
    }                                                                                              \
  }

struct body {
  double mass, at[2];
};
static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
__attribute__((noinline)) static double kinetic(const struct body *b) {
  return b->mass * (b->at[0] * b->at[0] + exp(b->at[1]));
}
__attribute__((noinline)) static void smooth(double *a) {
  for (int i = 1; i < N; i++)
    a[i] = a[i] * 0.5 + sin(a[i - 1]) * a[i];
}

MODES(polynomial, { return x[0] * x[1] * x[2] + x[3] * x[3] * x[0] - x[1]; })
MODES(library, { return exp(x[0] * x[2]) + log(x[1] * x[3]) * sin(x[0]) + pow(x[3], x[1]); })
MODES(loop, {
  double sum = 0;
  for (int i = 0; i < 9; i++)
    sum = cos(sum) + x[i % N] * x[(i + 1) % N];
  return sum;
})
MODES(until, {
  double y = x[1];
  while (y < 20)
    y = y * (1 + x[0] * x[0]) + x[3];
  return y * x[2];
})
MODES(branches, {
  double y = 0;
  for (int i = 0; i < N; i++)
    y += x[i] > 1 ? x[i] * x[i] * x[0] : x[i] < 0 ? sin(x[i]) : y * x[i];
  return y;
})
MODES(in_place, {
  double a[N];
  memcpy(a, x, sizeof a);
  smooth(a);
  smooth(a);
  return a[3] * a[1] + a[0];
})
MODES(structures, {
  struct body b = {x[0], {x[1], x[2]}};
  struct body copy = b;
  copy.mass *= x[3];
  return kinetic(&b) * kinetic(&copy);
})
MODES(heap, {
  double *a = malloc(N * sizeof *a), sum = 0;
  for (int i = 0; i < N; i++)
    a[i] = x[i] * x[N - 1 - i];
  for (int i = 0; i < N; i++)
    sum += a[i] * a[(i + 1) % N];
  free(a);
  return sum;
})
MODES(recursive, { return power(x[0], 3) * power(x[1] + x[2], 2) + power(x[3], 4); })
MODES(pointers, {
  const double *p = x[3] > 1 ? x : x + 1;
  const double **q = x[0] > x[1] ? &x : &p;
  return (*q)[0] * p[1] * p[2] * p[2] + sqrt(p[1]);
})

int main(void) {
  check_polynomial();
  check_library();
  check_loop();
  check_until();
  check_branches();
  check_in_place();
  check_structures();
  check_heap();
  check_recursive();
  check_pointers();
  return finish();
}
