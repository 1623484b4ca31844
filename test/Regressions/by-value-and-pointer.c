// A struct passed by value: the callee reads its own copy, whatever it writes to the variable
// that was copied, and what it writes to its copy, the variable still has.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#define APART __attribute__((noinline))
struct Big {
  double v[8];
};
static APART double throughPointer(struct Big s, struct Big *p) {
  p->v[0] = 2 * s.v[1];
  p->v[2] += 1;
  return s.v[0] * p->v[1] + s.v[2];
}
double pointed(const double *x) {
  struct Big b;
  for (int i = 0; i < 8; i++)
    b.v[i] = x[i] * x[i];
  double r = throughPointer(b, &b);
  return r + b.v[0] * b.v[2];
}
static APART struct Big turned(struct Big s) {
  struct Big r;
  for (int i = 0; i < 8; i++)
    r.v[i] = s.v[7 - i] * s.v[i / 2];
  return r;
}
double returned(const double *x) {
  struct Big b;
  for (int i = 0; i < 8; i++)
    b.v[i] = x[i];
  b = turned(b);
  b = turned(b);
  return b.v[0] + 2 * b.v[3] + 3 * b.v[7];
}
static APART struct Big overwritten(struct Big s) {
  for (int i = 1; i < 6; i *= 2)
    s.v[i % 4] = log1p(1.1 + fabs(s.v[(2 * i + i % 4) % 4]));
  s.v[0] = s.v[1] * s.v[2];
  return s;
}
double kept(const double *x) {
  struct Big b[2];
  for (int i = 0; i < 8; i++)
    b[0].v[i] = b[1].v[i] = x[i] * x[i];
  b[1] = overwritten(b[0]);
  return b[0].v[0] * b[0].v[1] + b[1].v[0] * b[1].v[1] + b[0].v[3] * b[1].v[3];
}
void compare(const char *name, double (*f)(const double *), const double *gradient,
             double (*slope)(const double *, const double *)) {
  double x[8], t[8] = {0}, h = 1e-6;
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 8; k++)
      x[k] = 0.5 + 0.3 * k, t[k] = k == i;
    x[i] += h;
    double ahead = f(x);
    x[i] -= 2 * h;
    double difference = (ahead - f(x)) / (2 * h);
    x[i] += h;
    checkWithin(name, i, gradient[i], difference, 1e-8, 1e-8);
    checkWithin(name, 8 + i, slope(x, t), difference, 1e-8, 1e-8);
  }
}
#define SLOPE(F) \
  double F##Slope(const double *x, const double *t) { return __enzyme_fwddiff((void *)F, x, t); }
SLOPE(pointed) SLOPE(returned) SLOPE(kept)
int main(void) {
  double x[8], d[8] = {0}, e[8] = {0}, g[8] = {0};
  for (int k = 0; k < 8; k++)
    x[k] = 0.5 + 0.3 * k;
  __enzyme_autodiff((void *)pointed, x, d);
  __enzyme_autodiff((void *)returned, x, e);
  __enzyme_autodiff((void *)kept, x, g);
  compare("pointed", pointed, d, pointedSlope);
  compare("returned", returned, e, returnedSlope);
  compare("kept", kept, g, keptSlope);
  return finish();
}
