// Derivatives from a tape that the user has registered.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2 %s
#include "check.h"

typedef struct { void *tape; double value; } Augmented;
typedef struct { double lane[2]; } Lanes;
Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
double __enzyme_fwddiff(void *, ...);
Lanes __enzyme_fwdsplit_lanes(void *, ...);
#define NI __attribute__((noinline))
/* numbers, with a tape */
static int firsts, seconds;
NI double square(double x) { return x * x; }
typedef struct { double tape, value; } Taped;
Taped first_square(double x) { firsts++; return (Taped){x, x*x}; }
double second_square(double x, double dx, double tape) { seconds++; return 10 * tape * dx; }
void *__enzyme_register_splitderivative_square[] = {(void*)square,(void*)first_square,(void*)second_square};
/* memory, no body, no result: what the first half returns is the tape */
void cubes(const double *in, double *out, long n);
__asm__(".weak cubes");
double *first_cubes(const double *in, const double *din, double *out, double *dout, long n) {
  double *kept = malloc(n * sizeof *kept);
  for (long i = 0; i < n; i++) { kept[i] = in[i]; out[i] = in[i]*in[i]*in[i]; }
  return kept;
}
void second_cubes(const double *in, const double *din, double *out, double *dout, long n, double *kept) {
  for (long i = 0; i < n; i++) dout[i] = 30*kept[i]*kept[i]*din[i];
  free(kept);
}
void *__enzyme_register_splitderivative_cubes[] = {(void*)cubes,(void*)first_cubes,(void*)second_cubes};
double f(double x) { double r = square(x) + square(2*x); return r; }
double g(double *p, long n) { double out[4]; cubes(p, out, n); double r = 0; for (long i=0;i<n;i++) r += out[i]*(i+1); p[0] = 77; return r; }
/* only reverse registered: the body counts */
NI double onlyrev(double x) { return x * x * x; }
double ar(double x) { return x*x*x; }
double rr(double x, double s) { return 1000*s; }
void *__enzyme_register_gradient_onlyrev[] = {(void*)onlyrev,(void*)ar,(void*)rr};
double h(double x) { return onlyrev(x) + 1; }
int main(void) {
  double x = 0.7;
  Augmented a = __enzyme_augmentfwd((void*)f, x);
  CHECK("f", a.value, 5*x*x);
  CHECK("firsts", firsts, 2);
  CHECK("seconds", seconds, 0);
  CHECK("df", __enzyme_fwdsplit((void*)f, x, 2.0, a.tape), 2*(10*x+40*x));
  CHECK("seconds", seconds, 2);
  CHECK("plain forward", __enzyme_fwddiff((void*)f, x, 1.0), 10*x);
  Augmented b = __enzyme_augmentfwd((void*)square, x);
  CHECK("square", b.value, x*x);
  CHECK("dsquare", __enzyme_fwdsplit((void*)square, x, 1.0, b.tape), 10*x);
  double p[3] = {1, 2, 3}, d[3] = {1, 0.5, 0.25};
  Augmented c = __enzyme_augmentfwd((void*)g, p, d, 3L);
  CHECK("g", c.value, 1+16+81);
  CHECK("p", p[0], 77);
  CHECK("dg", __enzyme_fwdsplit((void*)g, p, d, 3L, c.tape), 30*1 + 2*30*4*0.5 + 3*30*9*0.25);
  Augmented e = __enzyme_augmentfwd((void*)h, x);
  CHECK("h", __enzyme_fwdsplit((void*)h, x, 1.0, e.tape), 3*x*x);
  Augmented w = __enzyme_augmentfwd((void*)f, enzyme_width, 2, x);
  Lanes two = __enzyme_fwdsplit_lanes((void*)f, enzyme_width, 2, x, 1.0, 2.0, w.tape);
  CHECK("lane 0", two.lane[0], 50*x); CHECK("lane 1", two.lane[1], 100*x);
  return finish();
}
