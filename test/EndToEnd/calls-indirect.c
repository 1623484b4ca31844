// Calls through pointers: tables, structs with a context, returned and passed on, recursion,
// writes.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#define FAR static __attribute__((noinline))
typedef double (*unary)(double);
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double wave(double x) { return sin(x) * exp(x / 3); }
// 1 A constant table.
static const unary table[] = {square, cube, wave, cos};
FAR double fromTable(double x, int k) { return table[k & 3](x); }
// 2 A struct with a context.
struct model {
  double (*value)(double x, void *context);
  void *context;
};
static double scaled(double x, void *c) { return *(double *)c * x * x; }
static double shifted(double x, void *c) {
  double *p = c;
  return sin(x + p[0]) * p[1];
}
FAR double evaluate(const struct model *m, double x) {
  return m->value(x, m->context);
}
// 3 A returned pointer.
FAR unary choose(int k) { return k % 2 ? cube : wave; }
// 4 Passed on.
FAR double twice(unary f, double x) { return f(f(x)); }
// 5 Recursion through a pointer.
typedef double (*step)(double, int, void *);
static double down(double x, int n, void *next);
static double again(double x, int n, void *next) {
  return n ? x * ((step)next)(x, n - 1, (void *)down) : x;
}
static double down(double x, int n, void *next) {
  return n ? sin(x) + ((step)next)(x, n - 1, (void *)again) : x * x;
}
// 6 Writes through a pointer
typedef void (*update)(double *x, int n);
static void rotate(double *x, int n) {
  double t = x[0];
  for (int i = 0; i + 1 < n; i++)
    x[i] = x[i + 1];
  x[n - 1] = t;
}
static void soften(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = tanh(x[i]);
}
static update stages[2];
FAR void run(double *x, int n, update *u, int m) {
  for (int i = 0; i < m; i++)
    u[i](x, n);
}

double program(const double *in, int n) {
  double x[6], sum = 0, context[2];
  for (int i = 0; i < n; i++)
    x[i] = in[i];
  struct model models[2] = {{scaled, &context[0]}, {shifted, context}};
  context[0] = x[0] * x[1];
  context[1] = x[2];
  for (int i = 0; i < n; i++) {
    sum +=
        fromTable(x[i], i) + evaluate(&models[i % 2], x[i]) + choose(i)(x[i]);
    sum += twice(i % 2 ? square : wave, x[i]);
  }
  sum += again(x[0], 5, (void *)again) * down(x[1], 4, (void *)down);
  run(x, n, stages, 2);
  for (int i = 0; i < n; i++)
    sum += (i + 1) * x[i];
  return sum;
}
int main(void) {
  stages[0] = rotate;
  stages[1] = soften;
  double x[6], d[6] = {0}, t[6];
  fill(x, 6, 3, -0.9, 1.2);
  fill(t, 6, 7, -1, 1);
  __enzyme_autodiff((void *)program, x, d, 6);
  CHECK_SLOPES("program", 6, x, d, program(x, 6));
  CHECK_FORWARD("program", __enzyme_fwddiff((void *)program, x, t, 6), 6, t, d);
  return finish();
}
