// Derivatives that the user has registered, with all shapes of their functions: they must be
// used (the numbers are wrong on purpose where that tells), in every mode and width.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef struct {
  double value, tangent;
} Both;
typedef struct {
  double dx, dy;
} Two;
typedef struct {
  double lane[2];
} Lanes;
Two __enzyme_autodiff_two(void *, ...);
Both __enzyme_autodiff_both(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);
Lanes __enzyme_autodiff_lanes(void *, ...);
Lanes __enzyme_fwddiff_lanes(void *, ...);
Both __enzyme_fwddiff_both(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_fwdsplit(void *, ...);

/* A number, no tape: only reverse is registered; forward mode differentiates the body. */
__attribute__((noinline)) double square(double x) { return x * x; }
static int augmented, reversed;
double augment_square(double x) {
  augmented++;
  return x * x;
}
double reverse_square(double x, double seed) {
  reversed++;
  return 100 * x * seed;
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augment_square,
                                             (void *)reverse_square};

/* A number with a tape; two gradients; small enough to be inlined if that were allowed. */
static inline double weigh(double x, double y, int n) { return x * y * n; }
typedef struct {
  double *tape, result;
} Weighed;
Weighed augment_weigh(double x, double y, int n) {
  double *tape = malloc(2 * sizeof *tape);
  tape[0] = x;
  tape[1] = y;
  return (Weighed){tape, x * y * n};
}
Two reverse_weigh(double x, double y, int n, double seed, double *tape) {
  Two both = {10 * tape[1] * n * seed, 20 * tape[0] * n * seed};
  free(tape);
  return both;
}
Both forward_weigh(double x, double dx, double y, double dy, int n) {
  return (Both){x * y * n, 10 * y * n * dx + 20 * x * n * dy};
}
void *__enzyme_register_gradient_weigh[] = {(void *)weigh, (void *)augment_weigh,
                                            (void *)reverse_weigh};
void *__enzyme_register_derivative_weigh[] = {(void *)weigh, (void *)forward_weigh};

/* Memory; the whole result of the augmented function is the tape. There is no body at all. */
void cubes(const double *in, double *out, long n);
__asm__(".weak cubes");
typedef struct {
  double *kept;
  long count, more, large;
} Cubes;
Cubes augment_cubes(const double *in, double *din, double *out, double *dout, long n) {
  Cubes c = {malloc(n * sizeof(double)), n, 7, 8};
  for (long i = 0; i < n; i++) {
    c.kept[i] = in[i];
    out[i] = in[i] * in[i] * in[i];
  }
  return c;
}
void reverse_cubes(const double *in, double *din, double *out, double *dout, long n, Cubes c) {
  for (long i = 0; i < n && c.more == 7 && c.large == 8; i++) {
    din[i] += 3 * c.kept[i] * c.kept[i] * dout[i];
    dout[i] = 0;
  }
  free(c.kept);
}
void forward_cubes(const double *in, const double *din, double *out, double *dout, long n) {
  for (long i = 0; i < n; i++) {
    out[i] = in[i] * in[i] * in[i];
    dout[i] = 3 * in[i] * in[i] * din[i];
  }
}
void *__enzyme_register_gradient_cubes[] = {(void *)cubes, (void *)augment_cubes,
                                            (void *)reverse_cubes};
void *__enzyme_register_derivative_cubes[] = {(void *)cubes, (void *)forward_cubes};

/* A result that is a pointer has a shadow. */
__attribute__((noinline)) double *pick(double *p, int i) { return p + i; }
typedef struct {
  double *result, *shadow;
} Picked;
Picked augment_pick(double *p, double *dp, int i) { return (Picked){p + i, dp + i}; }
void reverse_pick(double *p, double *dp, int i) {}
void *__enzyme_register_gradient_pick[] = {(void *)pick, (void *)augment_pick,
                                           (void *)reverse_pick};

double sums(double x, double y) { return square(x) + weigh(x, y, 3); }
double memory(const double *p, long n) {
  double out[8], total = 0;
  cubes(p, out, n);
  for (long i = 0; i < n; i++)
    total += out[i] * (i + 1);
  return total;
}
double repeated(double x, int n) {
  double r = x;
  for (int i = 0; i < n; i++)
    r = weigh(r, x, 1) + 1;
  return r;
}
double picked(double *p) { return *pick(p, 1) * *pick(p, 2); }

// Neither a tape nor a result: the second half may have a parameter for it all the same.
__attribute__((noinline)) void doubles(double *p) { p[0] *= 2; }
__attribute__((noinline)) void triples(double *p) { p[0] *= 3; }
void augment_doubles(double *p, double *dp) { p[0] *= 2; }
void augment_triples(double *p, double *dp) { p[0] *= 3; }
void reverse_doubles(double *p, double *dp) { dp[0] *= 20; }
void reverse_triples(double *p, double *dp, void *tape) { dp[0] *= tape ? 0 : 30; }
void *__enzyme_register_gradient_doubles[3] = {(void *)doubles, (void *)augment_doubles,
                                               (void *)reverse_doubles};
void *__enzyme_register_gradient_triples[3] = {(void *)triples, (void *)augment_triples,
                                               (void *)reverse_triples};
void *__enzyme_register_splitderivative_triples[3] = {(void *)triples, (void *)augment_triples,
                                                      (void *)reverse_triples};
double scaled(double *p) {
  doubles(p);
  triples(p);
  return p[0];
}
double tripled(double *p) {
  triples(p);
  return p[0];
}

int main(void) {
  double x = 0.7, y = 1.9;
  CHECK("square", __enzyme_autodiff((void *)square, x), 100 * x);
  CHECK("augmented", augmented, 1);
  CHECK("reversed", reversed, 1);
  CHECK("forward", __enzyme_fwddiff((void *)square, x, 1.0), 2 * x);
  Both b = __enzyme_autodiff_both((void *)square, enzyme_primal_return, x);
  CHECK("primal", b.value, x * x);
  CHECK("gradient", b.tangent, 100 * x);

  Two both = __enzyme_autodiff_two((void *)sums, x, y);
  CHECK("dx", both.dx, 100 * x + 30 * y);
  CHECK("dy", both.dy, 60 * x);
  CHECK("only dy", __enzyme_autodiff((void *)sums, enzyme_const, x, y), 60 * x);
  CHECK("forward dx", __enzyme_fwddiff((void *)sums, x, 1.0, enzyme_const, y), 2 * x + 30 * y);
  CHECK("forward dy", __enzyme_fwddiff((void *)sums, x, 0.0, y, 1.0), 60 * x);
  Lanes two = __enzyme_fwddiff_lanes((void *)sums, enzyme_width, 2, x, 1.0, 0.0, y, 0.0, 1.0);
  CHECK("lane 0", two.lane[0], 2 * x + 30 * y);
  CHECK("lane 1", two.lane[1], 60 * x);
  two = __enzyme_autodiff_lanes((void *)sums, enzyme_width, 2, x, enzyme_const, y);
  CHECK("reverse lane 1", two.lane[1], 100 * x + 30 * y);
  void *tape = __enzyme_augmentfwd((void *)sums, x, enzyme_const, y);
  CHECK("split", __enzyme_reverse((void *)sums, x, enzyme_const, y, 2.0, tape),
        2 * (100 * x + 30 * y));

  double p[4] = {1.5, -2, 0.5, 3}, d[4] = {0}, t[4] = {1, 2, 3, 4};
  __enzyme_autodiff_nothing((void *)memory, p, d, 4L);
  double along = 0;
  for (int i = 0; i < 4; i++) {
    CHECK_AT("memory", i, d[i], 3 * p[i] * p[i] * (i + 1));
    along += d[i] * t[i];
  }
  CHECK("memory forward", __enzyme_fwddiff((void *)memory, p, t, 4L), along);

  // r1 = x*x + 1 with gradient 30x; r2 = r1*x + 1 with 10 x * 30 x + 20 r1
  CHECK("repeated", __enzyme_autodiff((void *)repeated, x, 2), 300 * x * x + 20 * (x * x + 1));
  CHECK("repeated forward", __enzyme_fwddiff((void *)repeated, x, 1.0, 2),
        300 * x * x + 20 * (x * x + 1));
  memset(d, 0, sizeof d);
  __enzyme_autodiff_nothing((void *)picked, p, d);
  CHECK("picked 1", d[1], p[2]);
  CHECK("picked 2", d[2], p[1]);
  double q = 5, dq = 0;
  __enzyme_autodiff_nothing((void *)scaled, &q, &dq);
  CHECK("without tape", dq, 600);
  CHECK("value without tape", q, 30);
  dq = 1;
  tape = __enzyme_augmentfwd((void *)tripled, &q, &dq);
  CHECK("direction without tape", __enzyme_fwdsplit((void *)tripled, &q, &dq, tape), 30);
  return finish();
}
