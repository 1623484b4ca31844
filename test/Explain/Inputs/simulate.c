// A spring, its trace, and a norm of it: loops of known and unknown length, calls, memory.
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
struct params { double k, c; int steps; double *w; };
static double force(const struct params *p, double x, double v) {
  double s = 0;
  for (int i = 0; i < 4; i++)
    s += p->w[i] * pow(x, i);
  return -p->k * s - p->c * v;
}
__attribute__((noinline)) double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}
double simulate(const struct params *p, double x, double v) {
  double h = 0.01;
  double *trace = malloc(p->steps * sizeof(double));
  int calls = 0;
  for (int t = 0; t < p->steps; t++) {
    double a = force(p, x, v);
    v += h * a;
    x += h * v;
    trace[t] = x;
    if (x > 1) { x = 1; v = -v; }
    calls++;
  }
  double r = norm(trace, p->steps);
  printf("%d\n", calls);
  while (r > 10) r = r * 0.5 + sin(r);
  free(trace);
  return r;
}
